#compdef zerosum

_zerosum_completion() {
    local line kind text words_about
    local -a lines offers patterns
    lines=("${(@f)$(COMP_LINE="${(j: :)words[1,CURRENT-1]} $PREFIX" _ZEROSUM_COMPLETE=zsh_complete ${~words[1]} 2>/dev/null)}")
    for line in $lines; do
        IFS=$'\t' read -r kind text words_about <<<"$line"
        if [[ $kind == file ]]; then
            patterns+=("$text")
        else
            text=${text//:/\\:}
            offers+=("$text${words_about:+:$words_about}")
        fi
    done
    if (( $#offers )); then
        _describe -V zerosum offers
    fi
    if (( $#patterns )); then
        compset -P '--*='
        _files -g "$patterns[1]"
    fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _zerosum_completion "$@"
else
    compdef _zerosum_completion zerosum
fi
