// The registry's commands, each with its whole name: tests that go through all of them meet a new one by themselves.
import { type Command, type Group, isGroup } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands/index.ts'

export interface NamedCommand {
  /** Words after `psp`. */
  readonly path: string
  readonly command: Command
}

export function everyCommand(group: Group = COMMANDS, path: readonly string[] = []): readonly NamedCommand[] {
  const bare = group.bare === undefined ? [] : [{ path: path.join(' '), command: group.bare }]
  const inner = group.commands.flatMap((entry) => {
    const whole = [...path, entry.name]
    return isGroup(entry) ? everyCommand(entry, whole) : [{ path: whole.join(' '), command: entry }]
  })
  return [...bare, ...inner]
}

/** Every name that has a help text of its own. */
export function everyHelp(group: Group = COMMANDS, path: readonly string[] = []): readonly string[] {
  return [
    path.join(' '),
    ...group.commands.flatMap((entry) =>
      isGroup(entry) ? everyHelp(entry, [...path, entry.name]) : [[...path, entry.name].join(' ')],
    ),
  ]
}
