#!/bin/bash
test_description='kiln bisect --html: the file, from a log'
. "$(dirname "$0")/lib.sh"
. "$KILN_SOURCE/tests/t/store.sh"

# A log of 40 commits with a loss of 3 % at 23, whose subject is hostile; one point does not boot.
cat >make-log.py <<'EOT'
import hashlib, random
random.seed(5)
oid = lambda i: hashlib.sha1(b"%d" % i).hexdigest()
rate = lambda i: 18500 * (0.97 if i >= 23 else 1) * (1 + random.gauss(0, 0.001))
print("kiln-bisect-log 1\nquestion number cpuid_rate npt/npt\nterms good bad\n"
      "engine kind=number min_sd=0.0015 max_boots=60 max_runs=5\nspace chain 40")
def runs(i):
    level = rate(i)
    values = " ".join("%.3f" % (level * (1 + random.gauss(0, 0.0005))) for _ in range(5))
    print("runs %d %s seconds=31.5 %s" % (i, oid(i), values))
for i in 0, 39, 39, 0:
    runs(i)
print("skip 20 %s stage=boot seconds=9 : panic: planted <b>" % oid(20))
for i in 19, 29, 24, 22, 22, 23, 23, 22, 23, 24:
    runs(i)
print("# the points")
for i in range(40):
    subject = "kvm: edit %d" % i
    if i == 23:
        subject = "</title><script>alert(1)</script> & \"it's\""
    print("point %d %s weight=1 parents=- : %s" % (i, oid(i), subject))
EOT
python3 make-log.py >log

test_expect_success 'a log becomes a page' '
	kiln bisect --replay log --html page.html --json >out.json &&
	test "$(jq_py out.json "d[\"verdict\"]")" = found &&
	test -s page.html
'

test_expect_success 'it is well-formed, has no script and loads nothing; both plots are drawn' '
	python3 "$KILN_SOURCE/tests/t/html-check.py" page.html >drawn &&
	grep "^svg 2$" drawn &&
	! grep "^marks [0-3]$" drawn
'

test_expect_success 'values and hostile text are there, as text' '
	grep "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;it&#39;s&quot;" page.html &&
	grep "panic: planted &lt;b&gt;" page.html &&
	grep "step at the commit</td><td>-[23]\.[0-9]* % (95 % interval -" page.html &&
	grep "<td class=\"n\">0.99" page.html
'

test_expect_success 'the report for the list: 72 columns, the Fixes: line, how it was found' '
	kiln bisect --replay log >report &&
	grep "^  Fixes: d435a6cdd786 (\"</title><script>" report &&
	grep "^  d435a6cdd786 .*-[23]\.[0-9]*% \[-[23]\.[0-9]*%, -[23]\.[0-9]*%\]" report &&
	grep "Method:" report &&
	! grep -v "Fixes:\|</title>" report | grep "^.\{73\}"
'

test_expect_success 'a file that cannot be written is an error' '
	test_expect_code 128 "$KILN" bisect --replay log --html none/page.html 2>err &&
	grep "none/page.html" err
'

test_done
