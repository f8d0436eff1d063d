function _zerosum_completion
    set -l command (string replace -r '^~' $HOME -- (commandline -opc)[1])
    for line in (env COMP_LINE=(commandline -cp | string collect) _ZEROSUM_COMPLETE=fish_complete $command 2>/dev/null)
        set -l part (string split \t -- $line)
        if test "$part[1]" = file
            set -l token (commandline -ct)
            set -l option (string match -r -- '^--[^=]*=' $token)
            for found in (__fish_complete_path (string replace -- "$option" '' $token))
                set -l path (string split -m 1 \t -- $found)[1]
                if string match -q -- '*/' $path; or string match -q -- $part[2] $path
                    echo "$option$path"
                end
            end
        else if set -q part[2]
            printf '%s\t%s\n' $part[2] "$part[3]"
        end
    end
end

complete --no-files --keep-order --command zerosum --arguments '(_zerosum_completion)'
