// Requests for help: `psp help payments create` means `psp payments create --help`.
import { type Group, isGroup } from '../command.ts'
import { GLOBAL_FLAGS } from '../parsing/common-flags.ts'
import type { FlagSet } from '../parsing/flags.ts'
import { unknownCommand } from '../parsing/parser-errors.ts'

/**
 * Replaces the word `help` by `--help`.
 * @throws CliError (usage) for help of an unknown command
 */
export function expandHelp(root: Group, argv: readonly string[]): readonly string[] {
  const beforeDashes = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  const names = commandWords(root, beforeDashes)
  const hasHelpWord = names.some(({ word }) => word === 'help')
  if (!hasHelpWord && !beforeDashes.some((word) => word === '--help' || word === '-h')) return argv
  const last = names.at(-1)
  if (last?.isUnknown === true) throw unknownCommand(last.word, last.path, beforeDashes, root)
  if (!hasHelpWord) return argv
  const path = names.filter(({ word }) => word !== 'help').map(({ word }) => word)
  return [...path, '--help']
}

/** Returns the full name of the command in a command line: `psp rules add`. Unknown words are left out. */
export function commandPath(root: Group, argv: readonly string[]): string {
  const known = commandWords(root, argv).filter(({ word, isUnknown }) => word !== 'help' && isUnknown !== true)
  return ['psp', ...known.map(({ word }) => word)].join(' ')
}

/** An argument that names a command or a group. */
interface CommandWord {
  readonly word: string
  /** Full name of the group in which the word was looked up. */
  readonly path: string
  /** True if the group contains no command with this name. */
  readonly isUnknown?: true
}

/** Returns the arguments that name commands, up to and including the first unknown one. */
function commandWords(root: Group, argv: readonly string[]): readonly CommandWord[] {
  const found: CommandWord[] = []
  let group = root
  let path = 'psp'
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word.startsWith('-')) {
      if (takesNext(word, { ...GLOBAL_FLAGS, ...group.defaultCommand?.flags })) at++
      continue
    }
    if (word === 'help') {
      found.push({ word, path })
      continue
    }
    const entry = group.commands.find(({ name }) => name === word)
    // The word may be an argument of the group's default command.
    if (entry === undefined && Object.keys(group.defaultCommand?.args ?? {}).length > 0) break
    found.push(entry === undefined ? { word, path, isUnknown: true } : { word, path })
    if (entry === undefined || !isGroup(entry)) break
    group = entry
    path = `${path} ${word}`
  }
  return found
}

/** Whether the next argument is the value of this flag. */
function takesNext(word: string, flags: FlagSet): boolean {
  if (word.includes('=')) return false
  return Object.values(flags).some(
    ({ spelling, kind, preset }) => kind !== 'switch' && preset === undefined && spelling.split(/[ ,]+/).includes(word),
  )
}
