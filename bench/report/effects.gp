# Changes with their intervals, in per cent: lines of LABEL CHANGE LO HI, the first on top.
# Called as: gnuplot -c effects.gp DATA ROWS
load ARG0[1:strlen(ARG0)-strlen("effects.gp")]."common.gp"
set terminal svg size 720,80 + 34 * int(ARG2) dynamic font "sans-serif,13" noenhanced
unset key
unset grid
set grid xtics lt 1 lc "gray" lw 0.5
set yrange [int(ARG2) - 0.5:-0.5]
set xrange [* < 0 : 0 < *]
set offsets graph 0.02, graph 0.02, 0, 0
set xlabel "change of patched over base in %, with its interval"
set arrow from 0, graph 0 to 0, graph 1 nohead lc "black" lw 0.8
plot ARG1 using 2:0:3:4:ytic(1) with xerrorbars pt 7 ps 0.6 lt 1
