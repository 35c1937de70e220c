// Finds the command that a user means by a synonym or by a name from another tool.
import { type Group, isGroup } from '../command.ts'
import { commandAlias } from './aliases.ts'

/** Names of subcommands with one meaning. A group has at most one of each line. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['add', 'create', 'new'],
  ['remove', 'delete', 'rm'],
  ['list', 'ls'],
  ['get', 'show', 'retrieve'],
]

/**
 * Returns the full name of the command that is meant: `psp webhooks endpoints create` for `psp` and `endpoints add`.
 *
 * @param path full name of a group: `psp webhooks`
 * @param words the unknown word and the words after it
 */
export function suggestCommand(root: Group, path: string, words: readonly string[]): string | undefined {
  let meant = path
  for (const word of words) {
    const next = nextName(meant, word, groupAt(root, meant))
    if (next === undefined) break
    meant = next
  }
  return meant === path ? undefined : meant
}

/** Returns the full name of the command that the word means in the group. */
function nextName(path: string, word: string, group: Group | undefined): string | undefined {
  if (group === undefined) return undefined
  const synonyms = SYNONYMS.find((line) => line.includes(word)) ?? []
  const names = group.commands.map(({ name }) => name)
  const found = names.find((name) => name === word) ?? names.find((name) => synonyms.includes(name))
  return commandAlias(path, word) ?? (found === undefined ? undefined : `${path} ${found}`)
}

/** @param path full name of a group: `psp webhooks` */
export function commandNames(root: Group, path: string): readonly string[] {
  return groupAt(root, path)?.commands.map(({ name }) => name) ?? []
}

function groupAt(root: Group, path: string): Group | undefined {
  let group: Group | undefined = root
  for (const word of path.split(' ').slice(1)) {
    const entry: Group['commands'][number] | undefined = group?.commands.find(({ name }) => name === word)
    group = entry !== undefined && isGroup(entry) ? entry : undefined
  }
  return group
}
