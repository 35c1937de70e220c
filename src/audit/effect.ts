// What a step did to the merchant's own value: a balance, a count of paid orders, the status of an order.

/** Whose state a probe is asked for. */
export interface Subject {
  readonly payment_id: string
  readonly order_id: string
}

/** The value of the probe around one step. */
export interface Effect {
  readonly about: Subject
  readonly before: string
  readonly after: string
  /** The probe asks for the one order or payment the step is about, not for the whole shop. */
  readonly own: boolean
}

/** `unseen`: the value tells nothing about this. */
export type Judgement =
  | { readonly verdict: 'right' }
  | { readonly verdict: 'wrong'; readonly text: string }
  | { readonly verdict: 'unseen'; readonly text: string }

export const RIGHT: Judgement = { verdict: 'right' }
export const wrong = (text: string): Judgement => ({ verdict: 'wrong', text })
export const unseen = (text: string): Judgement => ({ verdict: 'unseen', text })

export function moved({ before, after }: Effect): boolean {
  return before !== after
}

/** Steps one after another, as one. */
export function together(first: Effect, last: Effect): Effect {
  return { ...first, after: last.after }
}

/** How far a number moved; `undefined` where the value is no number. */
export function change({ before, after }: Effect): number | undefined {
  const [from, to] = [numberIn(before), numberIn(after)]
  return from === undefined || to === undefined ? undefined : round(to - from)
}

/** Did two orders fare the same? `undefined` where that cannot be told: a second payment of one order may count for nothing. */
export function alike(a: Effect, b: Effect): boolean | undefined {
  if (a.about.order_id === b.about.order_id) return undefined
  const [left, right] = [change(a), change(b)]
  if (left !== undefined && right !== undefined) return left === right
  return a.own && b.own ? a.after === b.after : undefined
}

/** `0 to 1500`, or `by 1500 (0 to 1500)`. */
export function told(effect: Effect): string {
  const by = change(effect)
  const path = `${shown(effect.before)} to ${shown(effect.after)}`
  return by === undefined ? path : `${by > 0 ? '+' : ''}${by} (${path})`
}

/** A number, or a JSON document with exactly one number in its first level. */
function numberIn(text: string): number | undefined {
  const plain = text.trim()
  if (/^-?\d+(\.\d+)?$/.test(plain)) return Number(plain)
  try {
    const document: unknown = JSON.parse(plain)
    if (typeof document === 'number') return document
    if (typeof document !== 'object' || document === null) return undefined
    const numbers = Object.values(document).filter((value) => typeof value === 'number')
    return numbers.length === 1 ? numbers[0] : undefined
  } catch {
    return undefined
  }
}

/** Values may be in major units: 0.3 + 0.2 is 0.5. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

function shown(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line || '(nothing)'
}
