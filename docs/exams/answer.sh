#!/bin/sh
# Takes the first number that is listed. Any program will do that reads a question and writes a reply.
number=$(sed -n 's/^.* left: \(-\{0,1\}[0-9]*\).*$/\1/p')
case $number in
-*) echo "MOVE: $number" ;;
*) echo "MOVE: +$number" ;;
esac
