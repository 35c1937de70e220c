// Fields of several routes. `error` completes the sentence "expected …".

import * as z from 'zod'
import { WEBHOOK_EVENTS } from '../../domain/events.ts'
import { DURATION_PATTERN, INSTANT_PATTERN } from '../../domain/text-patterns.ts'
import { parseDuration, parseInstant, type SandboxTime } from '../../domain/time.ts'
import { eventName } from '../value-schemas.ts'

export const text = (what: string) => z.string({ error: what })

export const count = (min: number, max: number) => {
  const what = `an integer from ${min} to ${max}`
  return z.number({ error: what }).int(what).min(min, what).max(max, what)
}

/** A count of at least 1 in a query string. All values of a query string are strings. */
export const queryCount = (max: number) =>
  z.preprocess((given) => (/^[0-9]{1,6}$/.test(String(given)) ? Number(given) : given), count(1, max))

export const flag = z.boolean({ error: 'true or false' })

const INSTANT = 'a time such as 2026-05-06T12:00:00Z'
export const instant = text(INSTANT)
  .transform((value, context) => {
    const ms = parseInstant(value)
    if (ms !== undefined) return ms as SandboxTime
    context.addIssue({ code: 'custom', message: INSTANT, input: value })
    return z.NEVER
  })
  .meta({ format: 'date-time', pattern: INSTANT_PATTERN })

const DURATION = 'a duration such as 500ms, 15s, 20m, 2h or 1h30m, of at most 36500d'
/** A duration, converted to ms. */
export const duration = text(DURATION)
  .transform((value, context) => {
    const ms = parseDuration(value)
    if (ms !== undefined) return ms
    context.addIssue({ code: 'custom', message: DURATION, input: value })
    return z.NEVER
  })
  .meta({ pattern: DURATION_PATTERN })

const EVENTS = `a list of ${WEBHOOK_EVENTS.join(', ')}`
export const eventNames = z.array(eventName, {
  error: EVENTS,
})
