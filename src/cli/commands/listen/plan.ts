// Plans which URL receives which events: the URL of a matching route, otherwise the --forward URLs.

import { quoteText } from '../../../domain/characters.ts'
import { WEBHOOK_EVENTS, type WebhookEventName } from '../../../domain/events.ts'
import { usageError } from '../../failure.ts'
import { expandEvents } from '../../parsing/event-patterns.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'

export interface Forwarding {
  readonly url: string
  /** Exact names; empty means all. */
  readonly events: readonly WebhookEventName[]
}

export interface Route {
  readonly patterns: readonly string[]
  readonly url: string
}

/** Parses `payment.*,payout.failed=localhost:3000/x`. */
export function parseRoute(text: string): Route {
  const at = text.indexOf('=')
  if (at > 0) return { patterns: text.slice(0, at).split(','), url: forwardUrl(text.slice(at + 1)) }
  throw usageError(`${quoteText(text)} is not a route.`, "Write it as --route 'payment.*=localhost:3000/payments'.")
}

/** Returns one forwarding per URL. URLs that would receive no event are omitted. */
export function planForwarding(
  forward: readonly string[],
  routes: readonly Route[],
  events: readonly string[],
): readonly Forwarding[] {
  if (routes.length === 0 && events.length === 0) return [...new Set(forward)].map((url) => ({ url, events: [] }))
  const wanted = new Set(expandEvents(events))
  const plan = new Map<string, Set<WebhookEventName>>()
  const rest = new Set(wanted)
  for (const { patterns, url } of routes) {
    for (const name of expandEvents(patterns)) {
      if (wanted.has(name)) add(plan, url, name)
      rest.delete(name)
    }
  }
  for (const url of forward) for (const name of rest) add(plan, url, name)
  if (plan.size === 0) throw usageError('No event would be forwarded.', 'Allow more events with --events or --route.')
  return [...plan].map(([url, names]) => ({ url, events: WEBHOOK_EVENTS.filter((name) => names.has(name)) }))
}

function add(plan: Map<string, Set<WebhookEventName>>, url: string, name: WebhookEventName): void {
  const names = plan.get(url) ?? new Set()
  plan.set(url, names.add(name))
}
