#!/bin/sh
# Takes the last number that is listed.
number=$(sed -n 's/^.* left: \(.*, \)\{0,1\}\(-\{0,1\}[0-9]*\)\.$/\2/p')
case $number in
-*) echo "MOVE: $number" ;;
*) echo "MOVE: +$number" ;;
esac
