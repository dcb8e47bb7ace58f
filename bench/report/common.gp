# What all plots share. Colours are set again by the page's style sheet, for light and dark.
set terminal svg size 720,280 dynamic font "sans-serif,13" noenhanced
set encoding utf8
set border 3 lc "black" lw 1
set tics nomirror out
set grid ytics lt 1 lc "gray" lw 0.5
set key outside top horizontal left maxrows 1 samplen 2 reverse Left
set linetype 1 lc "dark-blue" lw 1.6
set linetype 2 lc "dark-red" lw 1.6
set linetype 3 lc "dark-green" lw 1.6
set linetype 4 lc "dark-violet" lw 1.6
set pointintervalbox 0
