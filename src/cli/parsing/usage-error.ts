// Usage errors with a hint, such as the command that the user may have meant.
import type { CommanderError } from 'commander'
import { closestName } from '../../domain/closest-name.ts'
import type { Group } from '../command.ts'
import { type CliError, usageError } from '../failure.ts'
import { alternativeTo, flagAlias } from './aliases.ts'
import { commandNames, suggestCommand } from './suggest-command.ts'

/**
 * Converts an error of commander.
 * @param path full name of the command: `psp rules add`
 */
export function usageOf(error: CommanderError, argv: readonly string[], path: string, root: Group): CliError {
  const text = error.message.replace(/^error: /, '')
  const [, message = text, suggestion] = /^(.*?)\s*\((Did you mean .*\?)\)$/s.exec(text) ?? []
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  if (isOptionOfChild(error, argv)) {
    return usageError(
      ended,
      'Put -- before the command, so that psp does not parse its options: psp exec -- npm test --watch=false',
    )
  }
  if (argv.some((word) => /^'[^']*$/.test(word))) {
    return usageError(
      ended,
      'In cmd.exe a \' is an ordinary character. Use "double quotes" around an argument with spaces.',
    )
  }
  if (error.code === 'commander.unknownCommand') {
    return unknownCommand(/'(.*)'$/s.exec(message)?.[1] ?? '', path, argv, root)
  }
  return usageError(
    ended,
    suggestEquivalent(error, message, path) ??
      filterSuggestion(suggestion, message) ??
      `\`${path} --help\` shows ${path === 'psp' ? 'the commands' : 'examples and options'}.`,
  )
}

/** Suggests the option in psp for a synonym or for an option of another tool. */
function suggestEquivalent({ code }: CommanderError, message: string, path: string): string | undefined {
  const word = /'([^'=]+)[^']*'$/.exec(message)?.[1] ?? ''
  const instead = alternativeTo(`${path} ${word}`)
  if (instead !== undefined) return instead
  const meant = code === 'commander.unknownOption' ? flagAlias(path, word) : undefined
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}

/** Returns the nearest suggestion of commander, or none if all are too different. */
function filterSuggestion(suggestion: string | undefined, message: string): string | undefined {
  const word = /'([^'=]+)[^']*'$/.exec(message)?.[1] ?? ''
  const names = suggestion?.match(/-{0,2}[a-z][a-z-]*(?=[,?])/g) ?? []
  const near = closestName(word, names)
  return near === undefined ? undefined : `Did you mean ${near}?`
}

/** Returns whether the unknown option belongs to the program that `exec` runs, as in `psp exec node -e 1`. */
function isOptionOfChild({ code }: CommanderError, argv: readonly string[]): boolean {
  const at = argv.indexOf('exec')
  if (code !== 'commander.unknownOption' || at < 0 || argv.includes('--')) return false
  return argv.slice(0, at).every((word) => word.startsWith('-'))
}

/**
 * Creates a usage error that names the group, and suggests the nearest command.
 * @param path full name of the group: `psp payments`
 */
export function unknownCommand(word: string, path: string, argv: readonly string[], root: Group): CliError {
  const meant =
    suggestCommand(root, path, argv.slice(argv.indexOf(word))) ?? closestName(word, commandNames(root, path))
  return usageError(
    `Unknown command '${word}'${path === 'psp' ? '' : ` of ${path}`}.`,
    alternativeTo(`${path} ${word}`) ??
      (meant === undefined ? `\`${path} --help\` lists its commands.` : `Did you mean ${meant}?`),
  )
}

/**
 * Rejects two arguments in the wrong order.
 * @param path full name of the command: `psp faults add`
 * @param isSecond whether a text can only be the second argument
 * @throws CliError exit 2 with the right order
 */
export function requireOrder(
  path: string,
  [first, second]: readonly [first: string, second: string],
  isSecond: (text: string) => boolean,
): void {
  if (!isSecond(first) || isSecond(second)) return
  throw usageError('The two arguments are in the wrong order.', `Write ${path} ${second} ${first}.`)
}
