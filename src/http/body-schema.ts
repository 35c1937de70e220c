// Validates request bodies: a zod schema, and the meaning of null, "" and unknown fields (spec 4).

import * as z from 'zod'
import { quoteText } from '../domain/characters.ts'
import { closestName } from '../domain/closest-name.ts'
import { type RefusalError, refuse } from '../domain/errors.ts'
import { maskUserInfo } from '../domain/http-url.ts'
import { ownValue } from '../domain/json-values.ts'
import { type NumberLiterals, numberLiterals } from '../domain/number-literals.ts'
import { expected, quote } from '../domain/zod-messages.ts'
import { checkContentType, parseJson } from './json-body.ts'
import { type FieldIssue, ValidationError } from './validation-error.ts'

export interface BodyOptions {
  /** True: unknown fields are rejected. False: they are ignored, with one warning for all of them. */
  readonly strict: boolean
  readonly warnings: string[]
}

export interface BodySchema<T> {
  readonly schema: z.ZodObject
  /**
   * @param numbers the numbers of the JSON text of the value
   * @throws RefusalError `bad_request` that names the field and what was expected
   */
  check(value: unknown, options: BodyOptions, numbers?: NumberLiterals): T
}

/**
 * The `error` of each field completes the sentence "expected …". An optional field that is null counts as absent.
 * @param blank optional fields for which "" also counts as absent
 */
export function bodySchema<S extends z.ZodObject>(
  schema: S,
  blank: readonly (keyof S['shape'])[] = [],
): BodySchema<z.output<S>> {
  const fields = new Map<string, Field>()
  for (const [name, field] of Object.entries(schema.shape)) {
    const optional = field instanceof z.ZodOptional || field instanceof z.ZodDefault
    fields.set(name, { optional, blank: blank.includes(name) })
  }
  return {
    schema,
    check(value, { strict, warnings }, numbers) {
      requireJsonObject(value, numbers)
      const given: Record<string, unknown> = {}
      let unknown: string[] | undefined
      for (const name of Object.keys(value)) {
        const field = fields.get(name)
        const inner = (value as Record<string, unknown>)[name]
        if (field === undefined) unknown = [...(unknown ?? []), name]
        else if (isAbsent(field, inner)) continue
        else given[name] = inner
      }
      if (unknown !== undefined) handleUnknownFields(unknown, [...fields.keys()], { strict, warnings })
      const result = schema.safeParse(given)
      if (!result.success) throw validationError(issuesOf(schema, given), given, numbers)
      if (numbers !== undefined) rejectRoundedNumbers(numbers, given)
      return result.data
    },
  }
}

/** Parses again for the messages, because a parse with messages takes three times as long as one without. */
function issuesOf(schema: z.ZodObject, given: unknown): readonly z.core.$ZodIssue[] {
  return schema.safeParse(given, { error: expected }).error?.issues ?? []
}

interface Field {
  readonly optional: boolean
  /** "" counts as absent. */
  readonly blank: boolean
}

function isAbsent({ optional, blank }: Field, value: unknown): boolean {
  return optional && (value === null || (value === '' && blank))
}

/** Parses a JSON body. Returns the value as received, and the validated body. */
export function jsonBody<T>(
  shape: BodySchema<T>,
  text: string,
  contentType: string | undefined,
  options: BodyOptions,
): { readonly value: unknown; readonly body: T } {
  checkContentType(contentType)
  const value = parseJson(text)
  return { value, body: shape.check(value, options, numberLiterals(text)) }
}

/** @param name the name of the value in the message */
export function requireJsonObject(
  value: unknown,
  numbers?: NumberLiterals,
  name = 'body',
): asserts value is Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return
  throw refuse('bad_request', `${name}: expected a JSON object, got ${describe(value, numbers?.at([]))}.`)
}

/** Returns an error with the first issue of each field, for three fields at most. */
export function validationError(
  issues: readonly z.core.$ZodIssue[],
  given: unknown,
  numbers?: NumberLiterals,
): RefusalError {
  const issuesByPath = new Map<string, FieldIssue>()
  for (const issue of issues) {
    const path = issue.path.map(String).join('.') || 'body'
    if (issuesByPath.has(path) || issuesByPath.size === 3) continue
    const got = issue.path.reduce<unknown>((value, key) => ownValue(value, key), given)
    const missing = got === undefined ? 'required, ' : ''
    const message = `${missing}expected ${issue.message}${missing === '' ? `, got ${describe(got, numbers?.at(issue.path))}` : ''}.`
    issuesByPath.set(path, { path: issue.path, message })
  }
  return new ValidationError([...issuesByPath.values()])
}

function handleUnknownFields(
  unknown: readonly string[],
  known: readonly string[],
  { strict, warnings }: BodyOptions,
): void {
  const named = unknown.slice(0, 10).map((name) => quoteText(name))
  const list = named.join(', ') + (unknown.length > 10 ? ` and ${unknown.length - 10} more` : '')
  const [noun, verb] = unknown.length === 1 ? ['field', 'was'] : ['fields', 'were']
  if (strict)
    throw refuse('bad_request', `body: unknown ${noun} ${list} (the setting strict_body rejects unknown fields).`)
  const near = unknown.length === 1 ? closestName(unknown[0] ?? '', known) : undefined
  warnings.push(`unknown ${noun} ${list} ${verb} ignored${near === undefined ? '' : `, did you mean ${near}?`}`)
}

function rejectRoundedNumbers(numbers: NumberLiterals, given: Record<string, unknown>): void {
  for (const [field, written] of numbers.rounded()) {
    if (!Object.hasOwn(given, field)) continue
    throw refuse('bad_request', `${field}: expected an integer, got ${shortened(written)}.`)
  }
}

/**
 * Describes a value in a message, shortened.
 * @param written the digits of the JSON text, if the value is a number
 */
function describe(value: unknown, written?: string): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  return shortened(written ?? maskUserInfo(quote(value)))
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
