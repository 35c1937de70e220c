// A command as plain data; what it does stands in a file of its own and is loaded when it is called.
import { type ArgumentSet, type ArgumentValues, type FlagSet, type FlagValues, toggle } from './parsing/flags.ts'
import type { Session } from './session.ts'

/** What a command is given. It returns its exit code where that is not 0. */
export type Run<A extends ArgumentSet = ArgumentSet, F extends FlagSet = FlagSet> = Loaded<A, F>['run']

/** The file of a command. A method, so that one for certain flags passes as one for any: {@link command} has checked it. */
interface Loaded<A extends ArgumentSet, F extends FlagSet> {
  run(call: {
    readonly args: ArgumentValues<A>
    readonly flags: FlagValues<F>
    readonly session: Session
  }): Promise<number | undefined>
}

export interface Command {
  readonly name: string
  readonly about: string
  readonly args: ArgumentSet
  readonly flags: FlagSet
  /** Whole command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, about: string])[]
  /** Sentences below its options. */
  readonly remarks: readonly string[]
  /** Ends with 0 at the first SIGINT or SIGTERM, with 129 at SIGHUP, and takes its own time to end. */
  readonly stays: boolean
  /** Takes `--dry-run`. */
  readonly rehearses: boolean
  readonly load: () => Promise<Loaded<ArgumentSet, FlagSet>>
}

export interface Group {
  readonly name: string
  readonly about: string
  readonly commands: readonly (Command | Group)[]
  /** Its help names the commands by these, without a line for each. */
  readonly sections?: readonly (readonly [title: string, names: readonly string[]])[]
  /** What the group's bare name does; without it, the bare name shows help. */
  readonly bare?: Command
}

export interface CommandData<A extends ArgumentSet, F extends FlagSet> {
  readonly name: string
  readonly about: string
  readonly args?: A
  readonly flags?: F
  readonly examples?: Command['examples']
  readonly remarks?: Command['remarks']
  readonly stays?: boolean
  readonly rehearses?: boolean
  readonly load: () => Promise<Loaded<A, F>>
}

const REHEARSAL = { dry_run: toggle('--dry-run', 'show what would be done, and change nothing') }

export type NoArguments = Record<never, never>
export type NoFlags = Record<never, never>

/** Checks that the loaded file takes what the data declares, then forgets the types. */
export function command<A extends ArgumentSet = NoArguments, F extends FlagSet = NoFlags>(
  data: CommandData<A, F>,
): Command {
  return {
    name: data.name,
    about: data.about,
    args: data.args ?? {},
    flags: { ...data.flags, ...(data.rehearses === true ? REHEARSAL : {}) },
    examples: data.examples ?? [],
    remarks: data.remarks ?? [],
    stays: data.stays ?? false,
    rehearses: data.rehearses ?? false,
    load: data.load,
  }
}

export function isGroup(entry: Command | Group): entry is Group {
  return 'commands' in entry
}
