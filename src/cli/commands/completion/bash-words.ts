/**
 * A replacement for a function of the package bash-completion, for machines without it. It returns the words up to the
 * cursor, not split at `=` and `:`.
 */
export const BASH_WORDS = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref() {
        local line=\${COMP_LINE:0:COMP_POINT}
        read -r -a words <<< "$line"
        [[ "$line" == *[[:space:]] ]] && words+=('')
        cword=$((\${#words[@]} - 1))
        cur=\${words[cword]}
        prev=\${words[cword - 1]:-}
    }
fi
`

/** The end of the function: removes the part before a colon, which is already on the line if bash splits words there. */
export const BASH_COLON = `
    if [[ "$cur" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
        local before=\${cur#--*=}
        before=\${before%"\${before##*:}"}
        COMPREPLY=("\${COMPREPLY[@]#"$before"}")
    fi`
