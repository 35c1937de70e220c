// Flags and arguments of a command, as data. The types of the parsed values are derived from the data.
import { nonEmpty } from './parse.ts'

export interface Flag<T> {
  /** `--amount <n>`, `-d, --body <json>`. */
  readonly spelling: string
  readonly description: string
  readonly kind: 'value' | 'switch' | 'list'
  readonly parse: (text: string) => unknown
  /** Values to offer at completion. */
  readonly choices: readonly string[]
  /** True if the flag sets the configuration key of the same name, see {@link file://../config/config-keys.ts}. */
  readonly configures?: true
  /** The value if the flag is given without one: `--wait [duration]`. */
  readonly preset?: string
  /** Usage lines show the flag, because the command needs it. The command itself reports a missing one. */
  readonly isMandatory?: true
  /** The heading of the flag in help. The default is `Options`. */
  readonly heading?: string
  /** The flag is accepted without effect, and help omits it. */
  readonly hidden?: true
  /** Never set. It carries the type of the parsed value. */
  readonly type?: T
}

export type FlagSet = { readonly [name: string]: Flag<unknown> }
export type FlagValues<F extends FlagSet> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never }

export interface Argument<T> {
  readonly description: string
  readonly kind: 'required' | 'optional' | 'zero_or_more' | 'one_or_more'
  /** Values to offer at completion. */
  readonly choices?: readonly string[]
  /** Words after the first one may be empty, because they belong to another program. */
  readonly laterWordsMayBeEmpty?: true
  readonly type?: T
}

export type ArgumentSet = { readonly [name: string]: Argument<unknown> }
export type ArgumentValues<A extends ArgumentSet> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never
}

/** Parser of a flag for which an empty value has a meaning. */
export const asIs = (text: string) => text

/**
 * A flag with a value; `undefined` if it is not given.
 * @param parse throws a `usageError`; by default, only for an empty value
 * @param choices suggestions for completion; other values may be valid
 */
export function value<T = string>(
  spelling: string,
  description: string,
  parse: (text: string) => T = nonEmpty as (text: string) => T,
  choices: readonly string[] = [],
): Flag<T | undefined> {
  return { spelling, description, kind: 'value', parse, choices }
}

/** A flag whose value is optional: `--wait` alone means `--wait <preset>`. */
export function optionalValue<T>(
  spelling: string,
  description: string,
  preset: string,
  parse: (text: string) => T,
): Flag<T | undefined> {
  return { ...value(spelling, description, parse), preset }
}

/** A flag whose value is one of the choices. */
export function choice<const C extends readonly string[]>(
  spelling: string,
  description: string,
  choices: C,
  parse: (text: string, choices: C) => C[number],
): Flag<C[number] | undefined> {
  return {
    spelling,
    description: withChoices(description, choices),
    kind: 'value',
    parse: (text) => parse(text, choices),
    choices,
  }
}

/** Lists the choices after the main clause, before a default or a further clause. */
function withChoices(description: string, choices: readonly string[]): string {
  const [main] = /^.*?(?=;|, default|$)/.exec(description) as unknown as [string]
  return `${main} (${choices.join(', ')})${description.slice(main.length)}`
}

/** A flag without a value. */
export function toggle(spelling: string, description: string): Flag<boolean> {
  return { spelling, description, kind: 'switch', parse: asIs, choices: [] }
}

/** A flag that may be given several times. */
export function list<T = string>(
  spelling: string,
  description: string,
  parse: (text: string) => T = nonEmpty as (text: string) => T,
  choices: readonly string[] = [],
): Flag<readonly T[]> {
  return { spelling, description: `${description} (repeatable)`, kind: 'list', parse, choices }
}

export function mandatory<T>(flag: Flag<T>): Flag<T> {
  return { ...flag, isMandatory: true }
}

/** Lists flags under a separate heading in help. */
export function underHeading<F extends FlagSet>(heading: string, flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, heading }])) as unknown as F
}

export const required = (description: string, choices: readonly string[] = []): Argument<string> => ({
  description,
  kind: 'required',
  choices,
})
export const optional = (description: string, choices: readonly string[] = []): Argument<string | undefined> => ({
  description,
  kind: 'optional',
  choices,
})
/** Any number of arguments, including none. */
export const zeroOrMore = (description: string): Argument<readonly string[]> => ({ description, kind: 'zero_or_more' })
/** One or more arguments. */
export const oneOrMore = (description: string, choices: readonly string[] = []): Argument<readonly string[]> => ({
  description,
  kind: 'one_or_more',
  choices,
})
