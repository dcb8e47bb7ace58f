# What a bisection measured. Blocks of data: boots (COMMIT VALUE), means (COMMIT MEAN LO HI), commits
# that could not be tested (COMMIT 0). Called as: gnuplot -c values.gp DATA COMMITS BOOTS SKIPS
load ARG0[1:strlen(ARG0)-strlen("values.gp")]."common.gp"
set xrange [-0.7:int(ARG2) - 0.3]
set offsets 0, 0, graph 0.08, graph 0.08
set y2range [0:1]
set xlabel "commit (0 is the old end)"
if (int(ARG3) == 0) { set yrange [0:1] }
plot ARG1 index 1 using 1:2:3:4 with yerrorbars pt 2 ps 0.4 lt 2 title "mean, 95 % interval", \
	ARG1 index 0 using 1:2 with points pt 6 ps 0.6 lt 1 title "a boot", \
	ARG1 index 2 using 1:(0.04) axes x1y2 with points pt 1 ps 0.8 lt 3 \
	title (int(ARG4) ? "not testable" : "")
