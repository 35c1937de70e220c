// Help as one JSON document, for other programs.
import { type Command, type Group, isGroup } from '../command.ts'
import type { FlagSet } from '../parsing/flags.ts'
import { GLOBAL_FLAGS } from '../parsing/global-flags.ts'
import { argumentText } from './help.ts'

/** @param path full name: `psp payments` */
export function helpDocument(path: string, entry: Command | Group): string {
  return `${JSON.stringify(isGroup(entry) ? ofGroup(path, entry) : ofCommand(path, entry))}\n`
}

function ofGroup(name: string, { about, commands, bare }: Group) {
  const listed = commands.map((entry) => ({ name: `${name} ${entry.name}`, about: entry.about, group: isGroup(entry) }))
  return { name, about, commands: listed, options: optionsOf({ ...bare?.flags, ...GLOBAL_FLAGS }) }
}

function ofCommand(name: string, { about, args, flags, examples }: Command) {
  return {
    name,
    about,
    arguments: Object.entries(args).map(([arg, { kind, about }]) => ({ name: argumentText(arg, kind), about })),
    options: optionsOf({ ...flags, ...GLOBAL_FLAGS }),
    examples: examples.map(([line, about]) => ({ line, about })),
  }
}

function optionsOf(flags: FlagSet) {
  return Object.values(flags)
    .filter(({ hidden }) => hidden !== true)
    .map(({ spelling, about }) => ({ name: spelling, about }))
}
