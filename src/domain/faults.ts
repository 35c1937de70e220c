// The simulator's standing orders: rules choose outcomes, faults break the transport. Both are counted.
import type { SandboxTime } from './time.ts'

/** Counts of a rule or fault. A row whose `times` is used up stays, inactive, so that the log can name it. */
interface Counted {
  readonly id: string
  readonly created_at: SandboxTime
  readonly match: { readonly [field: string]: string | number }
  /** How often it may still apply; absent: always. */
  readonly times?: number
  /** Applies to each n-th match only. */
  readonly every?: number
  /** Requests that matched so far, applied or not. */
  readonly matched: number
  /** How often it was applied. */
  readonly applied: number
}

export interface Rule extends Counted {
  /** As written, `failed:insufficient_funds`, or a sequence of plans, one per match, the last of which stays. */
  readonly plan: string | readonly string[]
}

/** What rules are matched on, besides `metadata.<name>`. */
export const RULE_FIELDS = [
  'operation',
  'amount',
  'method',
  'payment_method',
  'currency',
  'order_id',
  'customer_id',
  'phone',
  'bank_id',
  'description',
  'shop_id',
] as const

export const FAULT_TARGETS = {
  api: ['latency', 'late_response', 'status', 'reset', 'cut'],
  webhook: [
    'duplicate',
    'delay',
    'drop',
    'reorder',
    'tamper',
    'wrong_secret',
    'stale',
    'future',
    'v1_only',
    'unsigned',
    'before_response',
    'late_response',
    'unknown_event',
    'reserialised',
  ],
  stream: ['drop', 'disconnect', 'stall'],
  redirect: ['delay', 'drop'],
} as const
export type FaultTarget = keyof typeof FAULT_TARGETS

/** Fields of the payment or payout that a request or message is about. */
const OBJECT_FIELDS = [
  'amount',
  'payment_method',
  'currency',
  'order_id',
  'customer_id',
  'phone',
  'bank_id',
  'description',
  'status',
  'shop_id',
] as const

/** What the faults of a target are matched on, besides `metadata.<name>`. `method` is the HTTP method. */
export const FAULT_FIELDS = {
  api: ['method', 'path', 'operation', 'object_id', ...OBJECT_FIELDS],
  webhook: ['event', 'endpoint_id', 'attempt', 'method', 'operation', 'object_id', ...OBJECT_FIELDS],
  stream: ['kind', 'object_id', ...OBJECT_FIELDS],
  redirect: ['payment_id', ...OBJECT_FIELDS],
} as const

/** `cart` of `metadata.cart`; `undefined` for any other field. Names of metadata are the merchant's. */
export function metadataName(field: string): string | undefined {
  return /^metadata\.(.+)$/s.exec(field)?.[1]
}

/** What is done to a message; nothing of it is left when the message is dropped. */
const CHANGES = FAULT_TARGETS.webhook.filter((name) => !['drop', 'delay', 'reorder'].includes(name))

/** Faults that cannot both be done to one request or message; neither can one fault twice. */
const APART: { readonly [T in FaultTarget]: readonly (readonly [string, readonly string[]])[] } = {
  api: [
    ['status', ['late_response', 'reset', 'cut']],
    ['reset', ['cut']],
  ],
  webhook: [
    ['drop', CHANGES],
    ['unsigned', ['v1_only', 'wrong_secret']],
    ['stale', ['future']],
  ],
  stream: [['drop', ['disconnect']]],
  redirect: [],
}

/** Can both be done at once? Names without values. */
export function together(target: FaultTarget, a: string, b: string): boolean {
  if (a === b) return false
  return !APART[target].some(([one, others]) => (one === a && others.includes(b)) || (one === b && others.includes(a)))
}

export interface Fault extends Counted {
  readonly target: FaultTarget
  /** As written: `latency:2s`, `status:503`, `duplicate:2`. */
  readonly fault: string
  /** In [0, 1], drawn from the seeded generator; absent: certain. */
  readonly probability?: number
}

/** The facts of an operation that `match` looks at. */
export interface Facts {
  readonly [field: string]: string | number | { readonly [name: string]: string } | undefined
  readonly metadata?: { readonly [name: string]: string } | undefined
}

/** True when every field of `match` equals the fact; a string may hold `*` for any run of characters. */
export function matches(match: Counted['match'], facts: Facts): boolean {
  return Object.entries(match).every(([field, wanted]) => {
    const fact = factOf(facts, field)
    if (fact === undefined) return false
    if (typeof wanted === 'string' && wanted.includes('*')) return glob(wanted, String(fact))
    return String(fact) === String(wanted)
  })
}

function factOf(facts: Facts, field: string): string | number | undefined {
  const name = metadataName(field)
  if (name !== undefined)
    return facts.metadata && Object.hasOwn(facts.metadata, name) ? facts.metadata[name] : undefined
  const fact = facts[field]
  return typeof fact === 'object' ? undefined : fact
}

/** Linear in the text, whatever the pattern: merchants write both. */
function glob(pattern: string, text: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  const last = parts[parts.length - 1] ?? ''
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

/** What `plan` a rule gives at its `applied`-th use. */
export function planOf(rule: Rule): string {
  if (typeof rule.plan === 'string') return rule.plan
  return rule.plan[Math.min(rule.applied, rule.plan.length - 1)] ?? 'succeeded'
}
