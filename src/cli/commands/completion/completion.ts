import { script } from '@bomb.sh/tab'
import type { NoFlags, Run } from '../../command.ts'
import { usage } from '../../failure.ts'
import { printResult } from '../../output/print-result.ts'
import { quote } from '../../parsing/parse.ts'
import { BASH_COLON, BASH_WORDS } from './bash-words.ts'
import { type COMPLETION_ARGUMENTS, SHELLS } from './flags.ts'

type Shell = Parameters<typeof script>[0]

/** The script calls `psp complete -- words…` for completions. */
export const run: Run<typeof COMPLETION_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const shell = SHELLS.find((known) => known === args.shell)
  if (shell === undefined) {
    throw usage(`There is no completion script for ${quote(args.shell)}.`, `Choose one of ${SHELLS.join(', ')}.`)
  }
  const text = shell === 'bash' ? `${BASH_WORDS}${fixBashScript(scriptOf(shell))}` : withColons(scriptOf(shell))
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
function withColons(text: string): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is zsh
  return text.replace('comp=${comp//:/\\:}', () => 'comp=${comp//:/\\\\:}')
}

/** Fixes the bash script: sourcing it twice is not an error, and bash replaces only the part after `--flag=` or a colon. */
function fixBashScript(text: string): string {
  return (
    text
      .replaceAll(/^readonly (?=ShellComp)/gm, '')
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is bash
      .replaceAll('-- "$cur"', '-- "${cur#--*=}"')
      .replace('\n}\n\n# Register completion function', `${BASH_COLON}$&`)
  )
}
