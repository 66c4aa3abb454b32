; The busy beaver with three states and two symbols: from an empty tape it halts after 14 moves
; and leaves six ones.

blank 0
start A
accept H

A 0 -> 1 R B
A 1 -> 1 R H
B 0 -> 0 R C
B 1 -> 1 R B
C 0 -> 1 L C
C 1 -> 1 L A
