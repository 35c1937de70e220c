// What a body must look like: a zod schema, and what null, "" and unknown fields mean (spec 4).
import { distance } from 'fastest-levenshtein'
import * as z from 'zod'
import { type Refusal, refuse } from '../domain/errors.ts'
import { expected } from '../domain/expected.ts'
import { maskUserInfo } from '../domain/user-info.ts'
import { type FieldFault, FieldFaults } from './field-faults.ts'
import { checkContentType, parseJson } from './json-body.ts'
import { roundedFields } from './json-numbers.ts'

export interface BodyOptions {
  /** Unknown fields are refused; otherwise each is a warning. */
  readonly strict: boolean
  readonly warnings: string[]
}

export interface BodyShape<T> {
  readonly schema: z.ZodObject
  /**
   * @param text the JSON the value came from, to find numbers that parsing rounded
   * @throws Refusal `bad_request` that names the field and what was expected
   */
  check(value: unknown, options: BodyOptions, text?: string): T
}

/**
 * Each field's `error` says what is expected, as in "expected …". An optional field that is null is absent.
 * @param blank optional fields whose "" is absent too
 */
export function bodyShape<S extends z.ZodObject>(
  schema: S,
  blank: readonly (keyof S['shape'])[] = [],
): BodyShape<z.output<S>> {
  const fields = new Map<string, Field>()
  for (const [name, field] of Object.entries(schema.shape)) {
    const optional = field instanceof z.ZodOptional || field instanceof z.ZodDefault
    fields.set(name, { optional, blank: blank.includes(name) })
  }
  return {
    schema,
    check(value, { strict, warnings }, text) {
      requireObject(value)
      const given: Record<string, unknown> = {}
      let unknown: string[] | undefined
      for (const name of Object.keys(value)) {
        const field = fields.get(name)
        const inner = (value as Record<string, unknown>)[name]
        if (field === undefined) unknown = [...(unknown ?? []), name]
        else if (isAbsent(field, inner)) continue
        else given[name] = inner
      }
      if (unknown !== undefined) ignore(unknown, [...fields.keys()], { strict, warnings })
      const result = schema.safeParse(given)
      if (!result.success) throw invalid(issuesOf(schema, given), given)
      if (text !== undefined) refuseRounded(text, given)
      return result.data
    },
  }
}

/** In words: a parse that may have to tell them costs three times one that does not, so only a wrong body has it. */
function issuesOf(schema: z.ZodObject, given: unknown): readonly z.core.$ZodIssue[] {
  return schema.safeParse(given, { error: expected }).error?.issues ?? []
}

interface Field {
  /** May be left out. */
  readonly optional: boolean
  /** "" counts as absent. */
  readonly blank: boolean
}

function isAbsent({ optional, blank }: Field, value: unknown): boolean {
  return optional && (value === null || (value === '' && blank))
}

/** The JSON of a body as it came, and checked. */
export function jsonBody<T>(
  shape: BodyShape<T>,
  text: string,
  contentType: string | undefined,
  options: BodyOptions,
): { readonly value: unknown; readonly body: T } {
  checkContentType(contentType)
  const value = parseJson(text)
  return { value, body: shape.check(value, options, text) }
}

/** @param name what the value is called */
export function requireObject(value: unknown, name = 'body'): asserts value is Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw refuse('bad_request', `${name}: expected a JSON object, got ${describe(value)}.`)
}

/** The first fault of each field, up to three, as one sentence each. */
export function invalid(issues: readonly z.core.$ZodIssue[], given: unknown): Refusal {
  const told = new Map<string, FieldFault>()
  for (const issue of issues) {
    const path = issue.path.map(String).join('.') || 'body'
    if (told.has(path) || told.size === 3) continue
    const got = issue.path.reduce<unknown>((value, key) => own(value, key), given)
    const missing = got === undefined ? 'required, ' : ''
    const why = `${missing}expected ${issue.message}${missing === '' ? `, got ${describe(got)}` : ''}.`
    told.set(path, { path: issue.path, why })
  }
  return new FieldFaults([...told.values()])
}

function own(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Record<PropertyKey, unknown>)[key]
}

function ignore(unknown: readonly string[], known: readonly string[], { strict, warnings }: BodyOptions): void {
  const named = unknown.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 60)))
  const list = named.join(', ') + (unknown.length > 10 ? ` and ${unknown.length - 10} more` : '')
  if (strict) throw refuse('bad_request', `body: unknown field ${list} (setting strict_body refuses them).`)
  const near = unknown.length === 1 ? slipOf(unknown[0] ?? '', known) : undefined
  warnings.push(`unknown field ${list} was ignored${near === undefined ? '' : `, did you mean ${near}?`}`)
}

/** The known field that was probably meant: a letter or two away. */
function slipOf(name: string, known: readonly string[]): string | undefined {
  if (name.length > 40) return undefined
  return known.find((field) => distance(name, field) <= 2)
}

function refuseRounded(text: string, given: Record<string, unknown>): void {
  for (const field of roundedFields(text)) {
    if (!Object.hasOwn(given, field)) continue
    throw refuse('bad_request', `${field}: expected an integer, got a number with a fraction.`)
  }
}

/** A value in a few characters, for messages. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return 'a larger integer'
  const text = maskUserInfo(JSON.stringify(value) ?? 'nothing')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
