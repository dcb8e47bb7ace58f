
# What a build must not be able to do in the sandbox.
bzImage: probe
probe:
	-@touch $(src)/evil && echo PROBE source is writable
	-@cat "@SECRET@" && echo PROBE home is visible
	-@grep -q eth /proc/net/dev && echo PROBE network is there
	-@touch /usr/evil && echo PROBE system is writable
	@echo PROBE done
