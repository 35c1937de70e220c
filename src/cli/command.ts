// A command as plain data. Its implementation is in another file, which is loaded when the command runs.
import { type ArgumentSet, type ArgumentValues, type FlagSet, type FlagValues, toggle } from './parsing/flags.ts'
import type { Session } from './session.ts'

/** Runs a command. It returns an exit code, or `undefined` for 0. */
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
  readonly about: string
  readonly args: ArgumentSet
  readonly flags: FlagSet
  /** Full command lines, each with a description. */
  readonly examples: readonly (readonly [line: string, about: string])[]
  /** Sentences to print below the options. */
  readonly remarks: readonly string[]
  /** Long-running: ends with 0 at the first SIGINT or SIGTERM and with 129 at SIGHUP, without a time limit. */
  readonly isLongRunning: boolean
  /** Accepts `--dry-run`. */
  readonly supportsDryRun: boolean
  readonly load: () => Promise<Run>
}

export interface Group {
  readonly name: string
  readonly about: string
  readonly commands: readonly (Command | Group)[]
  /** Sections of commands in the help. */
  readonly sections?: readonly (readonly [title: string, names: readonly string[]])[]
  /** The command that the group name runs without a subcommand. By default it shows help. */
  readonly defaultCommand?: Command
}

export interface CommandData<A extends ArgumentSet, F extends FlagSet> {
  readonly name: string
  readonly about: string
  readonly args?: A
  readonly flags?: F
  readonly examples?: Command['examples']
  readonly remarks?: Command['remarks']
  readonly isLongRunning?: boolean
  readonly supportsDryRun?: boolean
  /** Only `args` and `flags` decide the types that the function must accept. */
  readonly load: () => Promise<Run<NoInfer<A>, NoInfer<F>>>
}

const DRY_RUN_FLAG = { dry_run: toggle('--dry-run', 'show what would be done, and change nothing') }

export type NoArguments = Record<never, never>
export type NoFlags = Record<never, never>

/** Checks at compile time that the loaded function accepts the declared arguments and flags, then erases the types. */
export function command<A extends ArgumentSet = NoArguments, F extends FlagSet = NoFlags>(
  data: CommandData<A, F>,
): Command {
  return {
    name: data.name,
    about: data.about,
    args: data.args ?? {},
    flags: { ...data.flags, ...(data.supportsDryRun === true ? DRY_RUN_FLAG : {}) },
    examples: data.examples ?? [],
    remarks: data.remarks ?? [],
    isLongRunning: data.isLongRunning ?? false,
    supportsDryRun: data.supportsDryRun ?? false,
    load: data.load as Command['load'],
  }
}

export function isGroup(entry: Command | Group): entry is Group {
  return 'commands' in entry
}
