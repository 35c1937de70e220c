// Request headers that may be sent only once, because client and server could disagree on which of two values counts.
import { characterCount, isLongerThan } from '../../domain/characters.ts'
import { refuse } from '../../domain/errors.ts'
import { decodeHeaderText } from '../../domain/header-text.ts'
import { explainInvalidPlan, type Plan, parsePlan } from '../../domain/simulator-plan.ts'
import { type Exchange, header } from '../app-env.ts'

/**
 * Returns the text of a request header that may be sent once.
 * @param name as in the documentation
 * @param lower the name in lower case. `toLowerCase` takes longer than the lookup of an absent header.
 * @throws RefusalError `bad_request` if it was sent more than once
 */
export function singleHeader(c: Exchange, name: string, lower = name.toLowerCase()): string | undefined {
  const value = header(c, lower)
  if (value === undefined) return undefined
  if (timesSent(c, lower, value) < 2) return decodeHeaderText(value)
  throw refuse('bad_request', `${name}: expected one header, got several. Send it once.`)
}

/** Counts in the raw headers, because Node joins or drops repeated headers. `Headers` joins all of them. */
function timesSent(c: Exchange, name: string, value: string): number {
  const raw = c.env?.incoming?.rawHeaders
  if (raw === undefined) return countJoinedValues(value)
  let times = 0
  for (let i = 0; i < raw.length; i += 2) {
    const sent = raw[i] as string
    if (sent.length === name.length && sent.toLowerCase() === name) times++
  }
  return times
}

/** A comma within quotes belongs to the value. */
function countJoinedValues(value: string): number {
  return value.includes(', ') ? value.replace(/"[^"]*"/g, '').split(', ').length : 1
}

/** In characters (spec 8). */
export const MAX_KEY_LENGTH = 64

/** Returns the key without the quotes of its structured form, or `undefined` if there is no key. */
export function idempotencyKey(c: Exchange): string | undefined {
  const value = singleHeader(c, 'Idempotency-Key', 'idempotency-key')
  if (value === undefined) return undefined
  const key = /^".*"$/s.test(value) ? value.slice(1, -1) : value
  if (key !== '' && !isLongerThan(key, MAX_KEY_LENGTH)) return key
  throw refuse(
    'bad_request',
    `Idempotency-Key: expected 1 to ${MAX_KEY_LENGTH} characters, got ${characterCount(key)}.`,
  )
}

export function simulatedPlan(c: Exchange): Plan | undefined {
  const value = singleHeader(c, 'X-PSP-Simulate', 'x-psp-simulate')
  if (value === undefined) return undefined
  const plan = parsePlan(value)
  if (plan !== undefined) return plan
  throw refuse('bad_request', `X-PSP-Simulate: ${explainInvalidPlan(value)}`)
}
