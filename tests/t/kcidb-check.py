# Hold a document against the rules of KCIDB's schema 5.3 (github.com/kernelci/kcidb-io) for what kiln
# writes of it: keys, types, patterns, no null anywhere but in misc, every reference resolved.
import datetime, json, re, sys

ID, ORIGIN = r"[a-z0-9_]+:.*", r"[a-z0-9_]+"
PATH = r"([a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*)?"
STATUS = "FAIL|ERROR|MISS|PASS|DONE|SKIP"
TEXT = r"[^\0]*"
KINDS = {
    "checkouts": ({"id", "origin"},
                  {"id": ID, "origin": ORIGIN, "git_commit_hash": r"[0-9a-f]{40}|[0-9a-f]{64}",
                   "patchset_hash": r"|[0-9a-f]{64}", "message_id": r"[^@\s]+@[^@\s]+",
                   "comment": TEXT, "log_excerpt": TEXT, "start_time": datetime, "valid": bool}),
    "builds": ({"checkout_id", "id", "origin"},
               {"checkout_id": ID, "id": ID, "origin": ORIGIN, "comment": TEXT, "duration": float,
                "architecture": r"[a-z0-9_]*", "log_excerpt": TEXT, "status": STATUS, "misc": dict}),
    "tests": ({"build_id", "id", "origin"},
              {"build_id": ID, "id": ID, "origin": ORIGIN, "environment": dict, "path": PATH,
               "comment": TEXT, "log_excerpt": TEXT, "status": STATUS, "number": dict,
               "duration": float, "misc": dict}),
}


def check_value(key, value, rule):
    if isinstance(rule, str):
        assert isinstance(value, str) and re.fullmatch(rule, value, re.S), (key, value)
        assert key != "log_excerpt" or len(value) <= 16384
    elif rule is datetime:
        assert datetime.datetime.fromisoformat(value.replace("Z", "+00:00")).tzinfo, value
    elif rule is float:
        assert isinstance(value, (int, float)) and not isinstance(value, bool), (key, value)
    else:
        assert isinstance(value, rule), (key, value)
    if key == "number":
        assert set(value) <= {"value", "unit", "prefix"} and isinstance(value["value"], (int, float))
        assert isinstance(value.get("unit", ""), str)
    if key == "environment":
        assert set(value) <= {"compatible", "comment", "misc"}, value


doc = json.load(open(sys.argv[1]))
assert doc["version"] == {"major": 5, "minor": 3}
assert set(doc) <= {"version", "checkouts", "builds", "tests", "issues", "incidents"}
for kind, (required, rules) in KINDS.items():
    ids = [o["id"] for o in doc[kind]]
    assert len(ids) == len(set(ids)), "an id is there twice"
    for o in doc[kind]:
        assert required <= set(o), o
        for key, value in o.items():
            check_value(key, value, rules[key])
        assert all(o[k].startswith(o["origin"] + ":") for k in o if k == "id" or k.endswith("_id")
                   and k != "message_id")
for kind, key, of in (("builds", "checkout_id", "checkouts"), ("tests", "build_id", "builds")):
    assert {o[key] for o in doc[kind]} <= {o["id"] for o in doc[of]}
print(" ".join("%s %d" % (k, len(doc[k])) for k in KINDS))
