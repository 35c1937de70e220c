// Rules set the outcomes of operations. Faults delay, change or break requests, webhooks, streams and redirects.
// The uses of both are counted.
import type { SandboxTime } from './time.ts'

/** The counters of a rule or fault. After its last use a row is kept but inactive, so that the log can refer to it. */
interface Counted {
  readonly id: string
  readonly created_at: SandboxTime
  readonly match: { readonly [field: string]: string | number }
  /** Remaining uses. Absent: no limit. */
  readonly times?: number
  /** Applies to each n-th match only. */
  readonly every?: number
  /**
   * Number of requests or messages that matched, including those to which the rule or fault did not apply. A match at
   * which a newer fault excludes this one does not count.
   */
  readonly matched: number
  /** Number of uses so far. */
  readonly applied: number
}

export interface Rule extends Counted {
  /** A plan such as `failed:insufficient_funds`, or a list with one plan per use. The last plan repeats. */
  readonly plan: string | readonly string[]
}

/** The `match` fields of rules, in addition to `metadata.<name>`. */
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
    'hold',
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

/** Fields of the payment or payout of a request or message. */
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

/** The `match` fields of faults by target, in addition to `metadata.<name>`. `method` is the HTTP method. */
export const FAULT_FIELDS = {
  api: ['method', 'path', 'operation', 'object_id', ...OBJECT_FIELDS],
  webhook: ['event', 'endpoint_id', 'attempt', 'method', 'operation', 'object_id', ...OBJECT_FIELDS],
  stream: ['kind', 'object_id', ...OBJECT_FIELDS],
  redirect: ['payment_id', ...OBJECT_FIELDS],
} as const

/** Returns `cart` for `metadata.cart`, and `undefined` for any other field. Merchants choose the keys of metadata. */
export function metadataKey(field: string): string | undefined {
  return /^metadata\.(.+)$/s.exec(field)?.[1]
}

/** Faults that have no effect on a message that is dropped. */
const INEFFECTIVE_IF_DROPPED = FAULT_TARGETS.webhook.filter(
  (name) => !['drop', 'delay', 'reorder', 'hold'].includes(name),
)

/** Pairs of faults that cannot apply to the same request or message. A fault cannot be combined with itself either. */
const INCOMPATIBLE: { readonly [T in FaultTarget]: readonly (readonly [string, readonly string[]])[] } = {
  api: [
    ['status', ['late_response', 'reset', 'cut']],
    ['reset', ['cut']],
  ],
  webhook: [
    ['drop', INEFFECTIVE_IF_DROPPED],
    ['unsigned', ['v1_only', 'wrong_secret']],
    ['stale', ['future']],
  ],
  stream: [['drop', ['disconnect']]],
  redirect: [],
}

/** Whether both faults, given by name, can apply to the same request or message. */
export function canCombine(target: FaultTarget, a: string, b: string): boolean {
  if (a === b) return false
  return !INCOMPATIBLE[target].some(
    ([one, others]) => (one === a && others.includes(b)) || (one === b && others.includes(a)),
  )
}

export interface Fault extends Counted {
  readonly target: FaultTarget
  /** The fault with its value: `latency:2s`, `status:503`, `duplicate:2`. */
  readonly fault: string
  /** Probability in [0, 1], drawn from the seeded generator. Absent: always. */
  readonly probability?: number
}

/** The facts of an operation with which `match` is compared. */
export interface Facts {
  readonly [field: string]: string | number | { readonly [name: string]: string } | undefined
  readonly metadata?: { readonly [name: string]: string } | undefined
}

/** Whether each field of `match` equals the fact with the same name. In a string, `*` matches any characters. */
export function matches(match: Counted['match'], facts: Facts): boolean {
  return Object.entries(match).every(([field, wanted]) => {
    const fact = factOf(facts, field)
    if (fact === undefined) return false
    if (typeof wanted === 'string' && wanted.includes('*')) return glob(wanted, String(fact))
    return String(fact) === String(wanted)
  })
}

function factOf(facts: Facts, field: string): string | number | undefined {
  const name = metadataKey(field)
  if (name !== undefined)
    return facts.metadata && Object.hasOwn(facts.metadata, name) ? facts.metadata[name] : undefined
  const fact = facts[field]
  return typeof fact === 'object' ? undefined : fact
}

/** Takes linear time for every pattern, because clients send both pattern and text. */
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

/** Whether the next match of the rule or fault is one that it applies to. */
export function isNthMatch({ matched, every = 1 }: Counted): boolean {
  return (matched + 1) % every === 0
}

export function countMatch<Row extends Counted>(row: Row, applies: boolean): Row {
  const matched = { ...row, matched: row.matched + 1 }
  if (!applies) return matched
  return { ...matched, applied: row.applied + 1, ...(row.times !== undefined && { times: row.times - 1 }) }
}

export function nextPlan(rule: Rule): string {
  if (typeof rule.plan === 'string') return rule.plan
  return rule.plan[Math.min(rule.applied, rule.plan.length - 1)] ?? 'succeeded'
}
