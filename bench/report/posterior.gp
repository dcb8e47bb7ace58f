# Posterior by commit: lines of COMMIT P. Called as: gnuplot -c posterior.gp DATA COMMITS CULPRIT
# where CULPRIT is -1 when none was found.
load ARG0[1:strlen(ARG0)-strlen("posterior.gp")]."common.gp"
unset key
hit = int(ARG3)
set xrange [-0.7:int(ARG2) - 0.3]
set yrange [0:1]
set xlabel "commit (0 is the old end)"
set ylabel "probability"
set style fill solid 1.0 noborder
set boxwidth (int(ARG2) > 400 ? 1 : 0.8)
plot ARG1 using 1:($1 == hit ? NaN : $2) with boxes lt 1 notitle, \
	ARG1 using 1:($1 == hit ? $2 : NaN) with boxes lt 2 notitle
