// A command as plain data. Its implementation is in another file, which is loaded when the command runs.
// `commands/index.ts` combines the data with the implementation.
import { omitUndefined } from '../domain/omit-undefined.ts'
import { type ArgumentSet, type ArgumentValues, type FlagSet, type FlagValues, toggle } from './parsing/flags.ts'
import type { Session } from './session.ts'

/** Runs a command and returns its exit code. `undefined` means 0. */
export type Run<A extends ArgumentSet = ArgumentSet, F extends FlagSet = FlagSet> = (
  call: Call<A, F>,
) => Promise<number | undefined>

export interface Call<A extends ArgumentSet, F extends FlagSet> {
  readonly args: ArgumentValues<A>
  readonly flags: FlagValues<F>
  readonly session: Session
}

export interface Command {
  readonly name: string
  readonly description: string
  readonly args: ArgumentSet
  readonly flags: FlagSet
  /** Full command lines, each with a description. */
  readonly examples: readonly (readonly [line: string, description: string])[]
  /** Sentences to print below the options. */
  readonly notes: readonly string[]
  /**
   * The command may run until a signal. A signal asks it to end, and psp waits until it has ended. The command chooses
   * its exit code, usually with `endCode`.
   */
  readonly isLongRunning: boolean
  /** Ends with 0 at the first SIGINT or SIGTERM, also while it still starts, because a signal is its normal end. */
  readonly endsNormallyAtSignal: boolean
  /** If the reader of stdout exits, the command continues to its end, because its exit code is a result. */
  readonly survivesClosedStdout: boolean
  /** Accepts `--dry-run`. */
  readonly supportsDryRun: boolean
  /** Runs with a broken psp.config.json, and reports it itself. */
  readonly reportsBrokenConfig: boolean
  readonly load: () => Promise<Run>
}

export interface Group {
  readonly name: string
  readonly description: string
  readonly commands: readonly (Command | Group)[]
  /** Sections of commands in the help. */
  readonly sections?: readonly (readonly [title: string, names: readonly string[]])[]
  /** The command that runs if no subcommand is given. If absent, the help is shown. */
  readonly defaultCommand?: Command
}

/** A command without its name and its implementation: `implement` adds both. */
export interface CommandData<A extends ArgumentSet = ArgumentSet, F extends FlagSet = FlagSet>
  extends Partial<Omit<Command, 'name' | 'args' | 'flags' | 'load'>> {
  readonly description: string
  readonly args?: A
  readonly flags?: F
}

export interface GroupData<C extends CommandTree = CommandTree> {
  readonly description: string
  /** Commands and groups by name, in the order of help. */
  readonly commands: C
  readonly sections?: Group['sections']
  readonly defaultCommand?: string & keyof C
}

interface CommandTree {
  readonly [name: string]: CommandData | GroupData
}

/** For each command of a group, the function that loads its implementation. */
export type Implementations<T> =
  T extends GroupData<infer C>
    ? { readonly [name in keyof C]: Implementations<C[name]> }
    : T extends CommandData<infer A, infer F>
      ? () => Promise<Run<A, F>>
      : never

const DRY_RUN_FLAG = { dry_run: toggle('--dry-run', 'show what would be done, and change nothing') }

export type NoArguments = Record<never, never>
export type NoFlags = Record<never, never>

export function command<A extends ArgumentSet = NoArguments, F extends FlagSet = NoFlags>(
  data: CommandData<A, F>,
): CommandData<NoInfer<A>, NoInfer<F>> {
  return data
}

export function group<C extends CommandTree>(data: GroupData<C>): GroupData<C> {
  return data
}

/** Combines a group with the functions that load its commands. The compiler checks that their types match. */
export function implement<C extends CommandTree>(
  name: string,
  { description, sections, defaultCommand, commands }: GroupData<C>,
  implementations: Implementations<GroupData<C>>,
): Group {
  const entries = Object.entries(commands).map(([key, data]) => {
    const implementation: unknown = implementations[key as keyof C]
    return 'commands' in data
      ? implement(key, data, implementation as Implementations<GroupData>)
      : commandOf(key, data, implementation as Command['load'])
  })
  const defaultEntry = entries.find((entry): entry is Command => entry.name === defaultCommand && !isGroup(entry))
  return {
    name,
    description,
    commands: entries,
    ...omitUndefined({ sections, defaultCommand: defaultEntry }),
  }
}

function commandOf(name: string, data: CommandData, load: Command['load']): Command {
  return {
    args: {},
    examples: [],
    notes: [],
    isLongRunning: false,
    endsNormallyAtSignal: false,
    survivesClosedStdout: false,
    supportsDryRun: false,
    reportsBrokenConfig: false,
    ...data,
    flags: { ...data.flags, ...(data.supportsDryRun === true ? DRY_RUN_FLAG : {}) },
    name,
    load,
  }
}

export function isGroup(entry: Command | Group): entry is Group {
  return 'commands' in entry
}
