#!/bin/sh
# A bot in shell and awk: the smallest legal number, added if that is allowed. Try it: zerosum bot check "sh bot.sh"
# The shell reads, since many an awk waits for more than a line; awk gets one position at a time.

pool= subtracts=0 bans=0

choose() { # the words of the last `position`
    awk -v all="$pool" -v subtracts="$subtracts" -v bans="$bans" -v words="$1" '
    # Where a game only adds, the sign of a move is the number of its own: -3 adds -3. Else it is the operation.
    function number(move) { return (subtracts ? substr(move, 2) : move) + 0 }
    function amount(move) { return subtracts && substr(move, 1, 1) == "-" ? -number(move) : number(move) }
    function fill(text,    part, count, i) {
        for (i in left) delete left[i]
        numbers = 0
        count = text == "-" ? 0 : split(text, part, ",")
        for (i = 1; i <= count; i++) { left[part[i] + 0]++; numbers++ }
    }
    function play(move) {
        if (move == "swap") return
        left[number(move)]--
        if (--numbers == 0) fill(all)  # sudden death: the pool is filled again
        before = amount(move)
        known = 1
    }
    function allowed(add) { return !bans || !known || banless || add != -before }
    function choose(    n, i, count, part) {
        count = split(all, part, ",")
        for (banless = 0; banless < 2; banless++)  # a ban that would forbid everything forbids nothing
            for (i = 1; i <= count; i++) {
                n = part[i] + 0
                if (left[n] <= 0) continue
                if (allowed(n)) return subtracts ? "+" n : (n < 0 ? n : "+" n)
                if (subtracts && allowed(-n)) return "-" n
            }
    }
    BEGIN {
        count = split(words, word, " ")
        fill(all)
        at = 2
        if (word[1] == "fen") {
            fill(word[2])
            at = 5
            if (at <= count && word[at] != "moves") {
                split(word[at++], previous, ",")
                if (previous[1] != "-") { before = amount(previous[1]); known = 1 }
            }
        }
        for (at++; at <= count; at++) play(word[at])
        print "bestmove " choose()
    }'
}

carriage=$(printf '\r')
while IFS= read -r line; do
    line=${line%"$carriage"}
    case $line in
        ugi) printf 'id name Shell example\nid author zerosum\nugiok\n' ;;
        isready) echo readyok ;;
        'pool = '*) pool=$(printf %s "${line#pool = }" | tr -d '[] ') ;;
        'operations = '*) case $line in *subtract*) subtracts=1 ;; *) subtracts=0 ;; esac ;;
        'ban = '*) case $line in *mirror*) bans=1 ;; *) bans=0 ;; esac ;;
        'position '*) at=${line#position } ;;
        'go '*) choose "$at" ;;
        quit) exit ;;
    esac
done
