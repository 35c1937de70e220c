// Shell completion.
import { type Command as Completed, RootCommand } from '@bomb.sh/tab'
import { listShippedScenarios } from '../../scenarios/shipped-scenarios.ts'
import { type Command, type Group, isGroup } from '../command.ts'
import { GLOBAL_FLAGS } from '../parsing/common-flags.ts'
import type { FlagSet } from '../parsing/flags.ts'

/** Prints the completions of the last word. */
export function complete(root: Group, words: readonly string[]): void {
  const tab = new RootCommand()
  addFlags(tab, GLOBAL_FLAGS)
  addEntries(tab, root, '')
  tab.parse([...words])
}

function addEntries(tab: RootCommand, group: Group, path: string): void {
  for (const entry of group.commands) {
    const name = path === '' ? entry.name : `${path} ${entry.name}`
    const added = tab.command(name, entry.description)
    addFlags(added, GLOBAL_FLAGS)
    if (!isGroup(entry)) addArguments(added, entry)
    else {
      if (entry.defaultCommand !== undefined) addArguments(added, entry.defaultCommand)
      addEntries(tab, entry, name)
    }
  }
}

/** Choices that are read from files, by command. */
const FILE_CHOICES: { readonly [command: string]: (() => readonly string[]) | undefined } = {
  trigger: listShippedScenarios,
}

function addArguments(added: Completed, { name: command, args, flags }: Command): void {
  addFlags(added, flags)
  for (const [name, { kind, choices: known = [] }] of Object.entries(args)) {
    const choices = [...known, ...(FILE_CHOICES[command]?.() ?? [])]
    added.argument(
      name,
      choices.length === 0 ? undefined : (offer) => choices.forEach((word) => void offer(word, '')),
      kind === 'zero_or_more' || kind === 'one_or_more',
    )
  }
}

function addFlags(added: Completed, flags: FlagSet): void {
  for (const { spelling, description, kind, choices } of Object.values(flags)) {
    const long = /--([a-z0-9-]+)/.exec(spelling)?.[1]
    if (long === undefined) continue
    const short = /^-([A-Za-z]),/.exec(spelling)?.[1]
    if (kind === 'switch') added.option(long, description, short)
    else added.option(long, description, (offer) => choices.forEach((word) => void offer(word, '')), short)
  }
}
