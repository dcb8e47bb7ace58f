# How a browser sees a page: html_look FILE WIDTH [OPTION] writes what it measures to standard output,
# one "NAME VALUE" a line. Reports have no script of their own; the one that measures is put into a
# copy, whose policy allows it, and that into a frame of the width asked for: windows have a minimum.
# Sourced behind lib.sh. html_can: whether there is a browser.

html_can() {
	command -v chromium >/dev/null
}

html_look() {
	python3 - "$1" "$2" <<-'EOT'
	import sys
	page = open(sys.argv[1]).read().replace("default-src 'none';", "script-src 'unsafe-inline';")
	page = page.replace("</body>", """<script>
	const out = [["width", document.documentElement.clientWidth],
	             ["overflow", document.documentElement.scrollWidth - document.documentElement.clientWidth],
	             ["paper", getComputedStyle(document.body).backgroundColor],
	             ["ink", getComputedStyle(document.body).color],
	             ["cells", document.querySelectorAll("td").length]];
	for (const svg of document.querySelectorAll("svg")) {
	    const box = svg.getBoundingClientRect();
	    out.push(["svg", Math.round(box.width) + "x" + Math.round(box.height)]);
	}
	for (const t of document.querySelectorAll("svg text"))
	    if (getComputedStyle(t).fill != getComputedStyle(document.body).color)
	        out.push(["odd-ink", t.textContent]);
	parent.postMessage(out.map(([k, v]) => k + " " + v).join("\\n"), "*");
	</script></body>""")
	open("framed.html", "w").write(page)
	open("look.html", "w").write("""<!DOCTYPE html><pre id="look"></pre><script>
	addEventListener("message", e => { document.getElementById("look").textContent = e.data; });
	</script><iframe src="framed.html" style="width: %spx; height: 900px; border: 0"></iframe>""" % sys.argv[2])
	EOT
	timeout 60 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--user-data-dir="$PWD/browser" ${3:+"$3"} --virtual-time-budget=5000 --dump-dom \
		"file://$PWD/look.html" 2>browser.log |
		sed -n 's/.*<pre id="look">//; t copy; b; :copy; s/<\/pre>.*//; p; t; n; b copy'
}
