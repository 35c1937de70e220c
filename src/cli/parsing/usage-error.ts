// Commander's complaints in this program's two lines.
import type { CommanderError } from 'commander'
import { nearest } from '../../domain/nearest.ts'
import { type CliError, usage } from '../failure.ts'
import { commandMeant, flagMeant, insteadOf } from './synonyms.ts'

/** @param path whole name of the command: `psp rules add` */
export function usageOf(error: CommanderError, argv: readonly string[], path: string): CliError {
  const text = error.message.replace(/^error: /, '')
  const [, message = text, suggestion] = /^(.*?)\s*\((Did you mean .*\?)\)$/s.exec(text) ?? []
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  if (isOptionOfChild(error, argv)) {
    return usage(
      ended,
      'Put -- before the command, so that its options are its own: psp exec -- npm test --watch=false',
    )
  }
  if (argv.some((word) => /^'[^']*$/.test(word))) {
    return usage(ended, 'In cmd.exe a \' is an ordinary character: put "double quotes" around what belongs together.')
  }
  return usage(
    ended,
    meantBy(error, message, path) ??
      nearOf(suggestion, message) ??
      `\`${path} --help\` shows ${path === 'psp' ? 'the commands' : 'examples and options'}.`,
  )
}

/** What other tools call so. */
function meantBy({ code }: CommanderError, message: string, path: string): string | undefined {
  const word = /'([^'=]+)[^']*'$/.exec(message)?.[1] ?? ''
  const instead = insteadOf(`${path} ${word}`)
  if (instead !== undefined) return instead
  const meant =
    code === 'commander.unknownCommand'
      ? commandMeant(path, word)
      : code === 'commander.unknownOption'
        ? flagMeant(path, word)
        : undefined
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}

/** Commander takes for near what shares a few letters: of several, none was meant. */
function nearOf(suggestion: string | undefined, message: string): string | undefined {
  const word = /'([^'=]+)[^']*'$/.exec(message)?.[1] ?? ''
  const names = suggestion?.match(/-{0,2}[a-z][a-z-]*(?=[,?])/g) ?? []
  const near = nearest(word, names)
  return near === undefined ? undefined : `Did you mean ${near}?`
}

/** `psp exec node -e 1`: the option is meant for node. */
function isOptionOfChild({ code }: CommanderError, argv: readonly string[]): boolean {
  const at = argv.indexOf('exec')
  if (code !== 'commander.unknownOption' || at < 0 || argv.includes('--')) return false
  return argv.slice(0, at).every((word) => word.startsWith('-'))
}
