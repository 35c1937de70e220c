// Checks arguments of the client and of a test sandbox. A JavaScript caller may pass a string instead of an object.
// Spreading it would send one field per character.

import { quoteText } from '../domain/characters.ts'
import { isJsonObject } from '../domain/json-values.ts'
import { requireKnownOptions } from '../domain/known-options.ts'
import type { Query } from './http-client.ts'

/**
 * @param call the call as a program writes it: `payments.create`
 * @param expected describes the expected argument
 * @throws TypeError unless `value` is an object and not a list
 */
export function requireObject<T>(call: string, value: T, expected = 'an object'): T {
  if (isJsonObject(value)) return value
  throw new TypeError(`${call} takes ${expected}, but got ${describe(value)}.`)
}

/** Like {@link requireObject}, for an argument that may be omitted. */
export function optionalObject<T>(call: string, value: T, expected?: string): T {
  return value === undefined ? value : requireObject(call, value, expected)
}

/** @throws TypeError unless `options` is omitted, or an object with only known fields */
export function requireOptions(call: string, options: object | undefined, known: readonly string[]): void {
  if (options === undefined) return
  if (!isJsonObject(options)) {
    throw new TypeError(
      `${call}: the options must be an object with the fields ${known.join(', ')}, but got ${describe(options)}.`,
    )
  }
  requireKnownOptions(call, options, known)
}

/**
 * Returns the only argument of `rules.add` or `faults.add`.
 *
 * @param args all given arguments
 * @param fields the fields for which a caller may have passed strings, in this order: `['target', 'fault']`
 * @param example the fields that the error message shows, unless the caller passed a string for each of `fields`
 */
export function oneObject<T>(call: string, args: readonly unknown[], fields: readonly string[], example: string): T {
  const [first, ...more] = args
  if (isJsonObject(first) && more.length === 0) return first as T
  const texts = args.filter((arg) => typeof arg === 'string').slice(0, fields.length)
  const pairs =
    texts.length === fields.length ? fields.map((field, at) => `${field}: '${texts[at]}'`).join(', ') : example
  const got = more.length > 0 && isJsonObject(first) ? `${args.length} arguments` : describe(first)
  throw new TypeError(`${call} takes one object: ${call}({ ${pairs} }), but got ${got}.`)
}

/** @param list the name of the list, for errors: `payments` */
export function filterOf(list: string, filter: object | undefined): Query | undefined {
  return optionalObject(`${list}.list`, filter, 'an object with filters, such as { limit: 10 }') as Query | undefined
}

/**
 * Returns the id, encoded as one segment of a path.
 * @throws TypeError unless `id` is a non-empty string
 */
export function pathSegment(id: string): string {
  if (typeof id === 'string' && id !== '') return encodeURIComponent(id)
  const hint = isJsonObject(id) && typeof (id as { id?: unknown }).id === 'string' ? ' Pass its id.' : ''
  throw new TypeError(`expected an id as a string, got ${describe(id)}.${hint}`)
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : `the string ${quoteText(value)}`
  if (Array.isArray(value)) return 'a list'
  if (isJsonObject(value)) return 'an object'
  return String(value)
}
