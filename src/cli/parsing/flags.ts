// Flags and arguments of a command, as data. What a command gets is typed after this data.
import { filled } from './parse.ts'

export interface Flag<T> {
  /** As in help: `--amount <n>`, `-d, --body <json>`. */
  readonly spelling: string
  readonly about: string
  readonly kind: 'value' | 'switch' | 'list'
  readonly parse: (text: string) => unknown
  /** Values to offer at completion. */
  readonly choices: readonly string[]
  /** It is the configuration of the same name, see {@link file://./config-keys.ts}. */
  readonly configures?: true
  /** The value of a flag that stands alone: `--wait [duration]`. */
  readonly preset?: string
  /** It is taken, and means nothing here: help leaves it out. */
  readonly hidden?: true
  /** Never set: carries the type. */
  readonly type?: T
}

export type FlagSet = { readonly [name: string]: Flag<unknown> }
export type FlagValues<F extends FlagSet> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never }

export interface Argument<T> {
  readonly about: string
  readonly kind: 'required' | 'optional' | 'many' | 'some'
  /** Values to offer at completion. */
  readonly choices?: readonly string[]
  readonly type?: T
}

export type ArgumentSet = { readonly [name: string]: Argument<unknown> }
export type ArgumentValues<A extends ArgumentSet> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never
}

/** For a flag of which an empty value means something. */
export const asIs = (text: string) => text

/**
 * A flag with a value, by default any but an empty one; `undefined` when it is not given. `parse` throws `usage(...)`.
 * @param choices to offer, not all there are
 */
export function value<T = string>(
  spelling: string,
  about: string,
  parse: (text: string) => T = filled as (text: string) => T,
  choices: readonly string[] = [],
): Flag<T | undefined> {
  return { spelling, about, kind: 'value', parse, choices }
}

/** A flag whose value may be left out: `preset` stands for it then. */
export function optionalValue<T>(
  spelling: string,
  about: string,
  preset: string,
  parse: (text: string) => T,
): Flag<T | undefined> {
  return { ...value(spelling, about, parse), preset }
}

/** A flag whose value is one of a few words. */
export function choice<const C extends readonly string[]>(
  spelling: string,
  about: string,
  choices: C,
  parse: (text: string, choices: C) => C[number],
): Flag<C[number] | undefined> {
  return {
    spelling,
    about: `${about}: ${choices.join(', ')}`,
    kind: 'value',
    parse: (text) => parse(text, choices),
    choices,
  }
}

/** On or off. */
export function toggle(spelling: string, about: string): Flag<boolean> {
  return { spelling, about, kind: 'switch', parse: asIs, choices: [] }
}

/** May be given again and again. */
export function list<T = string>(
  spelling: string,
  about: string,
  parse: (text: string) => T = filled as (text: string) => T,
  choices: readonly string[] = [],
): Flag<readonly T[]> {
  return { spelling, about: `${about} (repeatable)`, kind: 'list', parse, choices }
}

export const required = (about: string, choices: readonly string[] = []): Argument<string> => ({
  about,
  kind: 'required',
  choices,
})
export const optional = (about: string, choices: readonly string[] = []): Argument<string | undefined> => ({
  about,
  kind: 'optional',
  choices,
})
/** Any number, none too. */
export const many = (about: string): Argument<readonly string[]> => ({ about, kind: 'many' })
/** At least one. */
export const some = (about: string, choices: readonly string[] = []): Argument<readonly string[]> => ({
  about,
  kind: 'some',
  choices,
})
