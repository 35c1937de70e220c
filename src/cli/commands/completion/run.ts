import { script } from '@bomb.sh/tab'
import { quoteText } from '../../../domain/characters.ts'
import type { NoFlags, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { printResult } from '../../output/result.ts'
import { type COMPLETION_ARGUMENTS, SHELLS } from '../completion.ts'

type Shell = Parameters<typeof script>[0]

/** The script calls `psp complete -- words…` for completions. */
export const run: Run<typeof COMPLETION_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const shell = SHELLS.find((known) => known === args.shell)
  if (shell === undefined) {
    throw usageError(
      `There is no completion script for ${quoteText(args.shell)}.`,
      `Choose one of ${SHELLS.join(', ')}.`,
    )
  }
  const text = shell === 'bash' ? `${BASH_WORDS}${fixBashScript(scriptOf(shell))}` : fixZshScript(scriptOf(shell))
  return await printResult(out, { shell, script: text }, () => out.text(text))
}

/** Captures the script, because the library only prints it. */
function scriptOf(shell: Shell): string {
  const lines: string[] = []
  const { log } = console
  console.log = (text: string) => void lines.push(text)
  try {
    script(shell, 'psp', 'psp')
  } finally {
    console.log = log
  }
  return `${lines.join('\n')}\n`
}

/** Restores the backslash before a colon that the zsh script of the library loses. */
function fixZshScript(text: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is zsh
  return text.replace('comp=${comp//:/\\:}', () => 'comp=${comp//:/\\\\:}')
}

/** Lets the bash script be sourced twice, and lets bash replace only the part after `--flag=` or a colon. */
function fixBashScript(text: string): string {
  return (
    text
      .replaceAll(/^readonly (?=ShellComp)/gm, '')
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
      .replaceAll('-- "$cur"', '-- "${cur#--*=}"')
      .replace('\n}\n\n# Register completion function', `${BASH_COLON}$&`)
  )
}

/**
 * Replaces a function of the package bash-completion on machines without it. The function returns the words up to the
 * cursor, without splitting them at `=` and `:`.
 */
const BASH_WORDS = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
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

/**
 * If bash splits words at a colon, the part before the colon is already on the command line. This code at the end of
 * the completion function removes that part from the completions.
 */
const BASH_COLON = `
    if [[ "$cur" == *:* && "$COMP_WORDBREAKS" == *:* ]]; then
        local before=\${cur#--*=}
        before=\${before%"\${before##*:}"}
        COMPREPLY=("\${COMPREPLY[@]#"$before"}")
    fi`
