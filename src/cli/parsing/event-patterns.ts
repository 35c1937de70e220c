// Expands patterns of webhook events: `payment.*`, `!payment.expired`, exact names.

import { quoteText } from '../../domain/characters.ts'
import { closestEvent } from '../../domain/closest-name.ts'
import { WEBHOOK_EVENTS, type WebhookEventName } from '../../domain/events.ts'
import { usageError } from '../failure.ts'
import { nonEmpty } from './parse.ts'

/**
 * Returns the events that the patterns select, in the order of the specification. A pattern with `!` excludes events.
 * If every pattern has `!`, all other events are selected.
 */
export function expandEvents(patterns: readonly string[]): readonly WebhookEventName[] {
  const given = patterns.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (given.some((text) => text === '' || text === '!')) {
    throw usageError(
      'The name of an event is empty.',
      'Write names with commas between them: payment.*,!payment.expired.',
    )
  }
  const included = given.filter((text) => !text.startsWith('!'))
  const excluded = given.filter((text) => text.startsWith('!')).map((text) => text.slice(1))
  const selected = included.length === 0 ? new Set(WEBHOOK_EVENTS) : new Set(included.flatMap(matching))
  for (const name of excluded.flatMap(matching)) selected.delete(name)
  return WEBHOOK_EVENTS.filter((name) => selected.has(name))
}

/** Returns a valid name or pattern unchanged, for a filter that the server applies. */
export function eventPattern(text: string): string {
  const pattern = nonEmpty(text).trim()
  matching(pattern)
  return pattern
}

function matching(pattern: string): readonly WebhookEventName[] {
  const found = WEBHOOK_EVENTS.filter((name) => fits(pattern, name))
  if (found.length > 0) return found
  const near = closestEvent(pattern)
  throw usageError(
    `There is no event ${quoteText(pattern)}.`,
    near === undefined
      ? `The events are ${WEBHOOK_EVENTS.join(', ')}. payment.* selects all events of payments.`
      : `Did you mean ${near}?`,
  )
}

function fits(pattern: string, name: string): boolean {
  const escaped = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')
  return new RegExp(`^${escaped}$`).test(name)
}
