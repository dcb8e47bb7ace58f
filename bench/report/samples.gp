# Every run of every boot: x is the boot in the order of measuring, one block of data for each kernel
# with its name as heading. Called as: gnuplot -c samples.gp DATA BLOCKS UNIT BOOTS
load ARG0[1:strlen(ARG0)-strlen("samples.gp")]."common.gp"
if (int(ARG2) > 3) { set key outside right top vertical Right noreverse maxrows auto }
set xlabel "boot, in the order of measuring"
set ylabel ARG3
if (int(ARG4) <= 30) { set xtics 1 }
set offsets 0.5, 0.5, graph 0.08, graph 0.08
plot for [i = 0:int(ARG2) - 1] ARG1 index i using 1:2 with points ps 0.7 \
	pt (i < 4 ? 6 : i < 8 ? 4 : i < 12 ? 8 : 12) lt i % 4 + 1 \
	title columnheader(1)
