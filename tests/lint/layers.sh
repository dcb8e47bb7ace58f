#!/bin/sh
# Includes go from cli to mail, boot and bench, and from these to core, never another way. A
# library's header is included by its owner only, and by no header of ours.
set -eu
root=${1:?usage: layers.sh ROOT}
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$(dirname "$0") exec python3 - "$root" <<'EOT'
import re, sys
import csource

MAY = {"core": {"core"}, "mail": {"mail", "core"}, "boot": {"boot", "core"},
       "bench": {"bench", "core"}, "cli": set(csource.LAYERS)}
# Folders of core that stand alone.
INSIDE = {"core/base/": ("core/base/",), "core/bisect/": ("core/bisect/", "core/base/"),
          "core/series/": ("core/series/", "core/base/"),
          "core/store/": ("core/store/", "core/base/"),
          "core/arch/": ("core/arch/", "core/base/")}
OWNER = [(r"git2[./]", ("core/git/", "core/base/cfg.c")), (r"sqlite3", ("core/store/",)),
         (r"curl/", ("mail/",)), (r"gmime/|glib|gio/|notmuch", ("mail/",)),
         (r"zlib", ("mail/", "boot/", "core/git/")),
         (r"bzlib|lzma|zstd", ("mail/packing.c",)),
         (r"openssl/", ("core/git/sha1.c",)),
         (r"jansson", ("cli/", "boot/target/qmp.c")), (r"gsl/", ("bench/",)),
         (r"libsmartcols", ("cli/",))]
bad = 0


def complain(path, nr, what):
    global bad
    bad += 1
    print(f"{path}:{nr}: {what}")


for path in csource.sources(sys.argv[1]):
    layer = path.split("/")[0]
    for nr, line in enumerate(csource.read(sys.argv[1], path).split("\n"), 1):
        own = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        lib = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
        if own:
            to = own.group(1)
            if to.split("/")[0] not in csource.LAYERS:
                complain(path, nr, f'"{to}" is not relative to the root')
            elif to.split("/")[0] not in MAY[layer]:
                complain(path, nr, f"{layer} must not include {to}")
            for folder, allowed in INSIDE.items():
                if path.startswith(folder) and not to.startswith(allowed):
                    complain(path, nr, f"{folder} must not include {to}")
        for pattern, owners in OWNER if lib else ():
            if not re.match(pattern, lib.group(1)):
                continue
            if not path.startswith(owners):
                complain(path, nr, f"<{lib.group(1)}> belongs to {' and '.join(owners)}")
            elif path.endswith(".h"):
                complain(path, nr, f"<{lib.group(1)}> in a header")
sys.exit(bad > 0)
EOT
