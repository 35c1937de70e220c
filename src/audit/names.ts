// The ids a run sends: two orders that fared the same differ in them, and in nothing else.
import type { Message } from './check.ts'
import type { Names } from './value.ts'

/** Each id of the bodies, with words that stand for it: `{payment_id}`, `{refund_id}`, `{event_id}`. */
export function namesIn(messages: readonly Message[]): Names {
  const found = new Map<string, string>()
  for (const { body } of messages) {
    const { id, data } = parsed(body)
    if (typeof id === 'string') found.set(id, '{event_id}')
    gather(data, 'payment', found)
  }
  // A longer one first: a shorter one may be a part of it.
  return [...found].sort(([a], [b]) => b.length - a.length)
}

function gather(value: unknown, of: string, found: Map<string, string>): void {
  if (Array.isArray(value)) for (const item of value) gather(item, of, found)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (key === 'id' && typeof item === 'string') found.set(item, `{${of}_id}`)
    else if ((/_id$/.test(key) || key === 'rrn') && typeof item === 'string' && !found.has(item))
      found.set(item, `{${key}}`)
    else if (key === 'refunds') gather(item, 'refund', found)
  }
}

function parsed(body: Uint8Array): { readonly id?: unknown; readonly data?: unknown } {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as { id?: unknown; data?: unknown }
  } catch {
    return {}
  }
}
