// Help that is asked for: `psp help payments create` is `psp payments create --help`, and a command that is not there has
// none to show.
import { type Group, isGroup } from '../command.ts'
import type { FlagSet } from '../parsing/flags.ts'
import { GLOBAL_FLAGS } from '../parsing/global-flags.ts'
import { unknownCommand } from '../parsing/unknown-command.ts'

/** The same words, with `--help` for `help`. @throws CliError (usage) where help of an unknown command is asked for */
export function askedHelp(root: Group, argv: readonly string[]): readonly string[] {
  const own = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  const names = commandWords(root, own)
  const isAsked = names.some(({ word }) => word === 'help')
  if (!isAsked && !own.some((word) => word === '--help' || word === '-h')) return argv
  const last = names.at(-1)
  if (last !== undefined && last.unknownIn !== undefined) throw unknownCommand(last.word, last.path, last.unknownIn)
  if (!isAsked) return argv
  const spoken = names.filter(({ word }) => word !== 'help').map(({ word }) => word)
  return [...spoken, '--help']
}

/** The whole name of the command that a line speaks of, as far as it is known: `psp rules add`. */
export function commandPath(root: Group, argv: readonly string[]): string {
  const known = commandWords(root, argv).filter(({ word, unknownIn }) => word !== 'help' && unknownIn === undefined)
  return ['psp', ...known.map(({ word }) => word)].join(' ')
}

interface Named {
  readonly word: string
  /** Of the group before it. */
  readonly path: string
  /** The group that has no such command. */
  readonly unknownIn?: Group | undefined
}

/** The words of a line that name commands, up to the first that names none. */
function commandWords(root: Group, argv: readonly string[]): readonly Named[] {
  const found: Named[] = []
  let group = root
  let path = 'psp'
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    if (word.startsWith('-')) {
      if (takesNext(word, { ...GLOBAL_FLAGS, ...group.bare?.flags })) at++
      continue
    }
    if (word === 'help') {
      found.push({ word, path })
      continue
    }
    const entry = group.commands.find(({ name }) => name === word)
    // What a bare name takes as its argument is no slip.
    if (entry === undefined && Object.keys(group.bare?.args ?? {}).length > 0) break
    found.push(entry === undefined ? { word, path, unknownIn: group } : { word, path })
    if (entry === undefined || !isGroup(entry)) break
    group = entry
    path = `${path} ${word}`
  }
  return found
}

function takesNext(word: string, flags: FlagSet): boolean {
  if (word.includes('=')) return false
  return Object.values(flags).some(
    ({ spelling, kind, preset }) => kind !== 'switch' && preset === undefined && spelling.split(/[ ,]+/).includes(word),
  )
}
