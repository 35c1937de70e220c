// The ids that a run sends, and the placeholders that replace them when two orders are compared.
import { isJsonObject } from '../domain/json-values.ts'

/** An id of the run, and the placeholders that replace it in the value of a probe. */
export interface SentId {
  readonly id: string
  /** The placeholder in values: `{payment_id}`, `{refund_id 2}`. All events share `{event_id}`. */
  readonly value: string
  /** The placeholder in keys, which must stay distinct: `{payment refunded event_id}`. */
  readonly key: string
  /** Replaces the id in a longer string. */
  readonly replaceIn: (text: string, placeholder: string) => string
}
export type SentIds = readonly SentId[]

/** Returns the ids in the bodies, longest first. Placeholders are numbered in the order in which the ids were sent. */
export function sentIdsIn(messages: readonly { readonly body: Uint8Array }[]): SentIds {
  const found = new Map<string, Pick<SentId, 'value' | 'key'>>()
  for (const { body } of messages) {
    const { id, event, data } = parsed(body)
    if (typeof id === 'string' && !found.has(id)) {
      found.set(id, { value: '{event_id}', key: numbered(`${String(event).replaceAll('.', ' ')} event_id`, found) })
    }
    gather(data, 'payment', found)
  }
  const sentIds = [...found].flatMap(([id, words]) =>
    spellingsOf(id).map((spelling): SentId => ({ ...spelling, ...words })),
  )
  // Longer ids first, because a shorter one may be a part of them.
  return sentIds.sort((a, b) => b.id.length - a.id.length)
}

type FoundIds = Map<string, Pick<SentId, 'value' | 'key'>>

function gather(value: unknown, of: string, found: FoundIds): void {
  if (Array.isArray(value)) for (const item of value) gather(item, of, found)
  if (!isJsonObject(value)) return
  for (const [key, item] of Object.entries(value)) {
    if (key === 'refunds') gather(item, 'refund', found)
    else if (typeof item === 'string' && item !== '' && !found.has(item)) {
      const word = key === 'id' ? `${of}_id` : /_id$/.test(key) || key === 'rrn' ? key : undefined
      if (word === undefined) continue
      const name = numbered(word, found)
      found.set(item, { value: name, key: name })
    }
  }
}

function numbered(word: string, found: FoundIds): string {
  const taken = [...found.values()].map(({ key }) => key)
  const pick = (n: number): string => {
    const name = n === 1 ? `{${word}}` : `{${word} ${n}}`
    return taken.includes(name) ? pick(n + 1) : name
  }
  return pick(1)
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

type Spelling = Pick<SentId, 'id' | 'replaceIn'>

/** Returns the ways in which a shop may show an id. A UUID may have no dashes, or only its first eight digits. */
function spellingsOf(id: string): readonly Spelling[] {
  if (!UUID.test(id)) return [spelling(id, patternOf)]
  return [spelling(id, patternOf), spelling(id.replaceAll('-', ''), patternOf), spelling(id.slice(0, 8), wordOf)]
}

/** Most texts do not contain the id, so the pattern is created only for the first text that does. */
function spelling(id: string, createPattern: (id: string) => RegExp): Spelling {
  const lowerCase = id.toLowerCase()
  let pattern: RegExp | undefined
  return {
    id,
    replaceIn(text, placeholder) {
      if (!text.toLowerCase().includes(lowerCase)) return text
      pattern ??= createPattern(id)
      return text.replace(pattern, placeholder)
    },
  }
}

/** Matches a short id only if it is unlikely to occur by chance. */
function patternOf(id: string): RegExp {
  if (id.length >= 8) return new RegExp(escaped(id), 'giu')
  if (id.length >= 4 || /\D/.test(id)) return wordOf(id)
  return new RegExp(`(?<=#|№ ?|order[^a-z0-9]{0,2})${id}(?!\\d)`, 'giu')
}

function wordOf(id: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(id)}(?![\\p{L}\\p{N}])`, 'giu')
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function parsed(body: Uint8Array): { readonly id?: unknown; readonly event?: unknown; readonly data?: unknown } {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8')) as { id?: unknown; event?: unknown; data?: unknown }
  } catch {
    return {}
  }
}
