# Fill a store with one finished run of each kind, always the same: report-store.py KILN_HOME.
# Titles, reasons and names are as hostile as mails and kernels can make them.
import hashlib, json, os, random, sqlite3, sys

home = sys.argv[1]
db = sqlite3.connect(home + "/state/kiln.db")
HOSTILE = "</title><script>alert(1)</script> | `x` *b* \x1b[31m & \"it's\""


def oid(word):
    return hashlib.sha1(word.encode()).hexdigest()


def add_run(run, argv, facts, state=1, code=0):
    db.execute("INSERT INTO runs (id, command, cwd, state, exit_code, started, ended)"
               " VALUES (?, ?, '/somewhere', ?, ?, 1777896000, ?)",
               (run, argv[2 * argv.count("-c")], state, code, 1777899600 if state else 0))
    db.executemany("INSERT INTO run_args (run, nr, arg) VALUES (?, ?, ?)",
                   [(run, i, a) for i, a in enumerate(argv)])
    db.executemany("INSERT INTO facts (run, key, value) VALUES (?, ?, ?)",
                   [(run, k, v) for k, v in facts.items()])


def add_build(run, commit, status="ok", reason=None):
    build_id = oid("build " + commit) if status == "ok" else None
    db.execute("INSERT INTO builds (run, commit_id, tree, config, toolchain, arch, status, reason,"
               " build_id, image, log, cached, seconds)"
               " VALUES (?, ?, ?, 'cfg', 'tool', 'x86_64', ?, ?, ?, '/image', '/log', 0, 61.5)",
               (run, commit, oid("tree " + commit), status, reason, build_id))


ENVIRONMENT = ("host.cpu=Host CPU\nhost.load=0.50\nl0.clocksource=tsc\nl0.cpu=QEMU Virtual CPU\n"
               "l0.kvm_amd.npt=%s\nl0.microcode=0x1000065\nl0.smt=notsupported\nqemu=7.2.13\n")


def add_boot(run, commit, number, paging, status="ok", reason=None, microcode="0x1000065"):
    token = oid("%s %s %d %s" % (run, commit, number, paging))[:32]
    proven = status == "ok"
    boot_id = oid(token)
    boot_id = "-".join((boot_id[:8], boot_id[8:12], boot_id[12:16], boot_id[16:20], boot_id[20:32]))
    environment = ENVIRONMENT % ("Y" if paging == "npt" else "N")
    db.execute("INSERT INTO boots (token, run, commit_id, tree, target, accel, path, boot_id,"
               " build_id, status, reason, console, proven, seconds, title, load, environment)"
               " VALUES (?, ?, ?, ?, 'qemu', 'tcg', 'kexec', ?, ?, ?, ?, '/console', ?, 21.25,"
               " NULL, '-s', ?)",
               (token, run, commit, oid("tree " + commit), boot_id if proven else None,
                oid("build " + commit), status, reason, proven,
                environment.replace("0x1000065", microcode)))
    return token


def add_samples(run, token, commit, cell, values, benchmark="cpuid_rate"):
    l0, l1 = cell.split("/")
    for i, v in enumerate(values):
        db.execute("INSERT INTO samples (run, token, commit_id, tree, benchmark, l0, l1, ordinal,"
                   " value, unit, clock, proven, path)"
                   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '/s', 'virtual', 1, 'kexec')",
                   (run, token, commit, oid("tree " + commit), benchmark, l0, l1, i, v))


CELLS = {"npt/npt": (25662.1, 30111.3), "npt/shadow": (18001.7, 18010.2),
         "shadow/shadow": (17700.6, 16915.0)}
BASE, PATCHED = oid("base"), oid("patched")


def sides(base, patched):
    noise = {"compare.noise cpuid_rate " + cell: "0.0005 0 0 0" for cell in CELLS}
    return {**noise, "compare.sides": "%s %s 0.002 0.95 3 0" % (base, patched),
            "commit." + base: "Linux 6.1", "commit." + patched: HOSTILE}


def add_campaign(run, boots=2, slower=True, microcode="0x1000065"):
    rnd = random.Random(run)
    for commit in (BASE, PATCHED):
        add_build(run, commit)
    for n in range(boots):
        for side, commit in enumerate((BASE, PATCHED)):
            for paging in ("npt", "shadow"):
                m = microcode if side else "0x1000065"
                token = add_boot(run, commit, n, paging, microcode=m)
                for cell, levels in CELLS.items():
                    if cell.split("/")[0] != paging:
                        continue
                    level = levels[side] if slower or cell != "shadow/shadow" else levels[0]
                    level *= 1 + rnd.gauss(0, 0.0001)
                    add_samples(run, token, commit, cell,
                                [round(level * (1 + rnd.gauss(0, 0.00005)), 2) for _ in range(3)])


def add_bisection(run, argv, more=None):
    rnd = random.Random(5)
    rate = lambda i: 18500 * (0.97 if i >= 23 else 1) * (1 + rnd.gauss(0, 0.001))
    runs = lambda i: "runs %d %s seconds=31.5 %s\n" % (i, oid("%d" % i), " ".join(
        "%.3f" % (level * (1 + rnd.gauss(0, 0.0005))) for level in [rate(i)] for _ in range(5)))
    notes = ["".join(runs(i) for i in (0, 39, 39, 0)),
             "skip 20 %s stage=boot seconds=9 : panic: planted <b>\n" % oid("20")]
    notes += [runs(i) for i in (19, 29, 24, 22, 22, 23, 23, 22, 23, 24)]
    facts = {"bisect.question": "number cpuid_rate npt/npt", "bisect.terms": "good bad",
             "bisect.engine": "kind=number min_sd=0.0015 max_boots=60 max_runs=5"}
    facts.update({"bisect.note.%08d" % i: note for i, note in enumerate(notes)})
    facts.update(more or {})
    add_run(run, argv, facts)
    os.makedirs("%s/state/runs/%s" % (home, run))
    with open("%s/state/runs/%s/bisect.points" % (home, run), "w") as f:
        f.write("space chain 40\n")
        for i in range(40):
            subject = HOSTILE.replace("\x1b", "?") if i == 23 else "kvm: edit %d" % i
            f.write("point %d %s weight=1 parents=- : %s\n" % (i, oid("%d" % i), subject))
    add_build(run, oid("23"))
    token = add_boot(run, oid("23"), 0, "npt")
    add_samples(run, token, oid("23"), "npt/npt", [17950.0, 17951.0])


MAIL = """From: =?utf-8?q?J=C3=B6rg?= Author <joerg@example.org>
To: kvm@example.org, "Maintainer, A" <maintainer@example.org>
Cc: list@example.org
Subject: [PATCH v2 0/2] KVM: nSVM: Stop bombing the TLB
Message-ID: <20260101.cover-v2@example.org>
References: <20260101.earlier@example.org>

Text.
"""

TRIAGE = {"series": {"title": "KVM: nSVM: Stop bombing the TLB " + HOSTILE, "revision": 2,
                     "total": 2, "message_id": "20260101.cover-v2@example.org"},
          "apply": {"base": BASE, "head": PATCHED, "failed": None},
          "claims": [{"metric": "cpuid_rate", "benchmark": "cpuid_rate", "claimed": 0.1734,
                      "measured": 0.1734, "verdict": "confirmed", "reason": None},
                     {"metric": HOSTILE, "benchmark": None, "claimed": None, "measured": None,
                      "verdict": "not comparable", "reason": "no benchmark of that name"}],
          "rows": [], "bisect": None}

QUEUE = {"queue": "queue-6.1", "status": "errors", "base": {"rev": "v6.1.5", "commit": BASE},
         "findings": [],
         "patches": [{"file": "kvm-fix.patch", "subject": "KVM: fix", "findings": [
                         {"check": "S07", "severity": "error", "text": "differs: " + HOSTILE,
                          "detail": None}]},
                     {"file": "mm-ok.patch", "subject": "mm: ok", "findings": []}],
         "unchecked": [{"check": "S25", "reason": "no machine"}]}


def add_thread(run):
    os.makedirs("%s/state/runs/%s" % (home, run))
    with open("%s/state/runs/%s/thread.mbox" % (home, run), "w") as f:
        f.write("From mboxrd@z Thu Jan  1 00:00:00 1970\n" + MAIL)


def add_triage(run, slower):
    facts = sides(BASE, PATCHED)
    facts["document"] = json.dumps(TRIAGE)
    add_run(run, ["-c", "kiln.boots=2", "triage", "20260101.cover-v2@example.org"], facts,
            code=1 if slower else 0)
    add_campaign(run, slower=slower)
    add_thread(run)


def add_mailed_queue(run, checked):
    doc = dict(QUEUE, status="ok", patches=[dict(QUEUE["patches"][1], file=None)], unchecked=[],
               checked=checked, series={"title": "Linux 6.1.6-rc1", "revision": 1, "total": 1,
                                        "message_id": "20260101.cover-v2@example.org"})
    add_run(run, ["queue", "id:20260101.cover-v2@example.org"], {"document": json.dumps(doc)})
    add_thread(run)


with db:
    add_run("aaaa00000001", ["compare", "v6.1", "topic branch"], sides(BASE, PATCHED), code=1)
    add_campaign("aaaa00000001")
    add_run("aaaa00000002", ["bench", "v6.1"], {"commit." + BASE: "Linux 6.1"})
    add_build("aaaa00000002", BASE)
    for n in range(2):
        add_samples("aaaa00000002", add_boot("aaaa00000002", BASE, n, "npt"), BASE, "npt/npt",
                    [25660.5 + n, 25661.5 + n])
    add_bisection("aaaa00000003", ["bisect", "v6.1", "v6.2"])
    add_run("aaaa00000004", ["queue", "6.1"], {"document": json.dumps(QUEUE)}, code=1)
    add_triage("aaaa00000005", True)
    add_triage("aaaa00000006", False)
    add_run("aaaa00000007", ["compare", "v6.1", "sick"], sides(BASE, oid("sick")), 2, 125)
    add_build("aaaa00000007", BASE)
    add_build("aaaa00000007", oid("sick"))
    add_boot("aaaa00000007", oid("sick"), 0, "npt", "panic", HOSTILE)
    add_run("aaaa00000008", ["compare", "v6.1", "other"], sides(BASE, PATCHED))
    add_campaign("aaaa00000008", microcode="0x2")
    add_mailed_queue("aaaa00000009", ["S01", "S23", "S25"])
    add_mailed_queue("aaaa0000000a", ["S01"])
    add_bisection("aaaa0000000b", ["triage", "--bisect", "series.mbox"],
                  dict(sides(BASE, PATCHED), document=json.dumps(TRIAGE)))
    add_campaign("aaaa0000000b")
    add_run("aaaa0000000c", ["bench"] + ["v6.%d" % i for i in range(8)], {})
    for i in range(8):
        add_build("aaaa0000000c", oid("v6.%d" % i))
        add_samples("aaaa0000000c", add_boot("aaaa0000000c", oid("v6.%d" % i), 0, "npt"),
                    oid("v6.%d" % i), "npt/npt", [25000.0 + i, 25001.0 + i])
db.close()
