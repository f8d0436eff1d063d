_zerosum_completion() {
    local kind text words answer found
    COMPREPLY=()
    answer=$(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORDBREAKS="$COMP_WORDBREAKS" \
        _ZEROSUM_COMPLETE=bash_complete "${1/#\~/$HOME}" 2>/dev/null)
    while IFS=$'\t' read -r kind text words; do
        if [[ $kind == file ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r found; do
                COMPREPLY+=("$found")
            done < <(
                compgen -d -- "$2"
                compgen -f -X "!$text" -- "$2" | while IFS= read -r found; do [[ -d $found ]] || echo "$found"; done
            )
        elif [[ -n $kind ]]; then
            COMPREPLY+=("$text")
        fi
    done <<<"$answer"
}

# Bash before 4.4 cannot keep the order.
complete -o nosort -F _zerosum_completion zerosum 2>/dev/null || complete -F _zerosum_completion zerosum
