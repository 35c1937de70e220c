// Errors of the command line, with hints such as the command that the user may have meant.

import type { CommanderError } from 'commander'
import { capitalize } from '../../domain/characters.ts'
import { closestName } from '../../domain/closest-name.ts'
import { truncateChars } from '../../terminal/sanitize.ts'
import { type Command, type Group, isGroup } from '../command.ts'
import { type CliError, usageError } from '../failure.ts'
import { alternativeTo, commandAlias, flagAlias, synonymsOf } from './aliases.ts'
import { GLOBAL_FLAGS } from './common-flags.ts'
import type { Flag } from './flags.ts'

/**
 * Converts an error of commander.
 * @param path full name of the command: `psp rules add`
 */
export function parserError(error: CommanderError, argv: readonly string[], path: string, root: Group): CliError {
  const message = error.message.replace(/^error: /, '')
  const word = /'(.*)'$/s.exec(message)?.[1] ?? ''
  const sentence = capitalize(message).replace(word, () => shortened(word))
  const text = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  if (isOptionOfChild(error, argv)) {
    return usageError(
      text,
      'Put -- before the command, so that psp does not parse its options: psp exec -- npm test --watch=false',
    )
  }
  if (argv.some((given) => /^'[^']*$/.test(given))) {
    return usageError(
      text,
      'In cmd.exe a \' is an ordinary character. Use "double quotes" around an argument with spaces.',
    )
  }
  if (error.code === 'commander.unknownCommand') return unknownCommand(word, path, argv, root)
  const help = `\`${path} --help\` shows ${path === 'psp' ? 'the commands' : 'examples and options'}.`
  return usageError(text, hintFor(error, word, argv, path, root) ?? help)
}

function hintFor(
  { code }: CommanderError,
  word: string,
  argv: readonly string[],
  path: string,
  root: Group,
): string | undefined {
  if (code === 'commander.unknownOption') return optionHint(word, path, root)
  return code === 'commander.excessArguments' ? argumentHint(path, argv) : undefined
}

/** Returns a hint if an argument is a word that users guess: `psp config list`. */
export function argumentHint(path: string, words: readonly string[]): string | undefined {
  const instead = words.map((word) => alternativeTo(path, word.toLowerCase())).find((hint) => hint !== undefined)
  const meant = words.map((word) => commandAlias(path, word.toLowerCase())).find((name) => name !== undefined)
  return instead ?? (meant === undefined ? undefined : `Did you mean ${meant}?`)
}

/** Returns whether the unknown option belongs to the program that `exec` runs, as in `psp exec node -e 1`. */
function isOptionOfChild({ code }: CommanderError, argv: readonly string[]): boolean {
  const at = argv.indexOf('exec')
  if (code !== 'commander.unknownOption' || at < 0 || argv.includes('--')) return false
  return argv.slice(0, at).every((word) => word.startsWith('-'))
}

/** @param word the unknown option, which may contain a value: `--json=true` */
function optionHint(word: string, path: string, root: Group): string | undefined {
  const [name = '', ...value] = word.split('=')
  const instead = alternativeTo(path, name)
  if (instead !== undefined) return instead
  const flags = flagsOf(entryAt(root, path))
  if (value.length > 0 && flags.some((flag) => namesOf(flag).includes(name)))
    return `${name} takes no value. Write ${name} alone, or leave the option out.`
  const meant = flagAlias(path, name) ?? closestOption(name.toLowerCase(), flags.flatMap(namesOf))
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}

/** Ignores dashes. A single letter only matches the option with this letter, in either case. */
function closestOption(name: string, known: readonly string[]): string | undefined {
  const letters = name.replace(/^-+/, '')
  if (letters.length === 1) return known.find((option) => option.toLowerCase() === `-${letters}`)
  const names = known.flatMap((option) => (option.startsWith('--') ? option.slice(2) : []))
  const meant = closestName(letters, names)
  return meant === undefined ? undefined : `--${meant}`
}

function flagsOf(entry: Command | Group | undefined): readonly Flag<unknown>[] {
  const command = entry !== undefined && isGroup(entry) ? entry.defaultCommand : entry
  return Object.values({ ...GLOBAL_FLAGS, ...command?.flags }).filter(({ hidden }) => hidden !== true)
}

/** Returns `-p` and `--port` for `-p, --port <n>`. */
const namesOf = ({ spelling }: Flag<unknown>): string[] => spelling.match(/(?<=^|, )-[\w-]+/g) ?? []

/**
 * Creates a usage error that names the group, and suggests the nearest command.
 * @param path full name of the group: `psp payments`
 */
export function unknownCommand(word: string, path: string, argv: readonly string[], root: Group): CliError {
  const meant =
    suggestCommand(root, path, argv.slice(argv.indexOf(word))) ??
    closestName(word.toLowerCase(), namesIn(entryAt(root, path)))
  return usageError(
    `Unknown command '${shortened(word)}'${path === 'psp' ? '' : ` of ${path}`}.`,
    alternativeTo(path, word.toLowerCase()) ??
      (meant === undefined ? `\`${path} --help\` lists its commands.` : `Did you mean ${meant}?`),
  )
}

/**
 * Returns the full name of the command that is meant: `psp webhooks endpoints create` for `psp` and `endpoints add`.
 * @param path full name of a group: `psp webhooks`
 * @param words the unknown word and the words after it
 */
function suggestCommand(root: Group, path: string, words: readonly string[]): string | undefined {
  let meant = path
  for (const word of words) {
    const next = nextName(meant, word.toLowerCase(), namesIn(entryAt(root, meant)))
    if (next === undefined) break
    meant = next
  }
  return meant === path ? undefined : meant
}

/** Returns the full name of the command that the word means in a group with these commands. */
function nextName(path: string, word: string, names: readonly string[]): string | undefined {
  const found = names.find((name) => name === word) ?? names.find((name) => synonymsOf(word).includes(name))
  return commandAlias(path, word) ?? (found === undefined ? undefined : `${path} ${found}`)
}

function namesIn(entry: Command | Group | undefined): readonly string[] {
  return entry !== undefined && isGroup(entry) ? entry.commands.map(({ name }) => name) : []
}

/** @param path full name of a command or group: `psp webhooks` */
function entryAt(root: Group, path: string): Command | Group | undefined {
  let entry: Command | Group | undefined = root
  for (const word of path.split(' ').slice(1))
    entry = entry !== undefined && isGroup(entry) ? entry.commands.find(({ name }) => name === word) : undefined
  return entry
}

const shortened = (word: string) => truncateChars(word, 80)

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
