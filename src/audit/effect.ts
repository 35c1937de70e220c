// What a step did to the merchant's own value: a balance, a count of paid orders, the state of an order.
import { type Fields, fieldsOf, isInList, isOwnId, type Leaf, type Names, TIME } from './value.ts'

/** Whose state a probe is asked for. */
export interface Subject {
  readonly payment_id: string
  readonly order_id: string
}

/** The value of a probe around one step. */
export interface Effect {
  readonly about: Subject
  readonly before: string
  readonly after: string
  /** The probe asks for the one order or payment the step is about, not for the whole shop. */
  readonly own: boolean
  /** The ids that were sent about it. */
  readonly names: Names
}

/** `unseen`: the value tells nothing about this. */
export type Judgement =
  | { readonly verdict: 'right'; readonly text?: string }
  | { readonly verdict: 'wrong'; readonly text: string }
  | { readonly verdict: 'unseen'; readonly text: string }

export const RIGHT: Judgement = { verdict: 'right' }
export const wrong = (text: string): Judgement => ({ verdict: 'wrong', text })
export const unseen = (text: string): Judgement => ({ verdict: 'unseen', text })

export function moved(effect: Effect): boolean {
  return differing(fieldsOf(effect.before), fieldsOf(effect.after)).length > 0
}

/** Did something that was there change? What was added, such as a second try in a list, is no change of it. */
export function changed(effect: Effect): boolean {
  const before = fieldsOf(effect.before)
  return listless(differing(before, fieldsOf(effect.after))).length > 0 || lost(effect)
}

/** Steps one after another, as one. */
export function together(first: Effect, last: Effect): Effect {
  return { ...first, after: last.after, names: [...first.names, ...last.names] }
}

/** How far a number moved, by path; nothing counts as 0 where the order was not there before. Lists are left out. */
export function changes(effect: Effect): ReadonlyMap<string, number> {
  const [before, after] = [fieldsOf(effect.before), fieldsOf(effect.after)]
  const found = new Map<string, number>()
  for (const [path, to] of after) {
    const from = before.get(path) ?? (before.size === 0 && effect.own ? 0 : undefined)
    const [left, right] = [numberIn(from), numberIn(to)]
    if (left !== undefined && right !== undefined && !isInList(path)) found.set(path, round(right - left))
  }
  return found
}

/** How two orders fared: `text` tells where they differ, or why it cannot be told, or what was left out. */
export interface Likeness {
  readonly same: boolean | undefined
  readonly text?: string
}

export function alike(a: Effect, b: Effect): Likeness {
  if (a.about.order_id === b.about.order_id) {
    return { same: undefined, text: 'both payments were of one order; give a second --order-id' }
  }
  return a.own && b.own ? alikeStates(a, b) : alikeSums(a, b)
}

/** Of the state of each order, what the events moved in one of them or in both. */
function alikeStates(a: Effect, b: Effect): Likeness {
  const [states, before] = [
    [fieldsOf(a.after, a.names), fieldsOf(b.after, b.names)] as const,
    [fieldsOf(a.before, a.names), fieldsOf(b.before, b.names)] as const,
  ]
  const touched = new Set([...differing(before[0], states[0]), ...differing(before[1], states[1])])
  const apart = differing(...states).filter((path) => touched.has(path) && !alikeSteps(path, before, states))
  const ids = apart.filter(isOwnId)
  const rest = apart.filter((path) => !isOwnId(path))
  if (rest.length > 0) return { same: false, text: listed(rest, ...states, ', not ') }
  return { same: true, ...(ids.length === 0 ? {} : { text: `${ids.join(', ')} not compared` }) }
}

function alikeSteps(path: string, before: readonly [Fields, Fields], after: readonly [Fields, Fields]): boolean {
  const by = ([0, 1] as const).map((at) => {
    const [from, to] = [numberIn(before[at].get(path)), numberIn(after[at].get(path))]
    return from === undefined || to === undefined ? undefined : round(to - from)
  })
  return by[0] !== undefined && by[0] === by[1]
}

/** Of the value of the whole shop only numbers can be compared: how far each moved. */
function alikeSums(a: Effect, b: Effect): Likeness {
  const [left, right] = [changes(a), changes(b)]
  const paths = [...left.keys()].filter((path) => right.has(path) && (left.get(path) !== 0 || right.get(path) !== 0))
  if (paths.length === 0) return { same: undefined, text: `no number in it moved (${short(a.after)})` }
  const apart = paths.filter((path) => left.get(path) !== right.get(path))
  if (apart.length === 0) return { same: true }
  return {
    same: false,
    text: apart.map((path) => `${labelled(path)}${signed(left.get(path))}, not ${signed(right.get(path))}`).join('; '),
  }
}

/** `the value +1500 (0 -> 1500)`, or `$.status: paid -> expired`. */
export function told(effect: Effect): string {
  const [before, after] = [fieldsOf(effect.before), fieldsOf(effect.after)]
  const by = [...changes(effect)]
  const [only] = by
  if (only !== undefined && by.length === 1 && after.size === 1 && only[0] === '$') {
    return `the value ${signed(only[1])} (${shown(before.get('$'))} -> ${shown(after.get('$'))})`
  }
  const paths = differing(before, after)
  return `${paths[0] === '$' ? 'the value ' : ''}${listed(paths, before, after, ' -> ')}`
}

/** Times that were masked in it, by path. */
export function maskedIn({ before, after }: Effect): string[] {
  const all = [...fieldsOf(before), ...fieldsOf(after)]
  return [...new Set(all.filter(([, leaf]) => typeof leaf === 'string' && leaf.includes(TIME)).map(([path]) => path))]
}

const MOST = 5

function listed(paths: readonly string[], left: Fields, right: Fields, between: string): string {
  const lines = paths.map((path) => `${labelled(path)}${shown(left.get(path))}${between}${shown(right.get(path))}`)
  const more = lines.length - MOST
  return lines.slice(0, MOST).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

function differing(left: Fields, right: Fields): string[] {
  return [...new Set([...left.keys(), ...right.keys()])].filter((path) => left.get(path) !== right.get(path))
}

function listless(paths: readonly string[]): string[] {
  return paths.filter((path) => !isInList(path))
}

/** A list may grow, but what stood in it stays. */
function lost({ before, after }: Effect): boolean {
  const kept = leavesInLists(after)
  for (const [leaf, count] of leavesInLists(before)) if ((kept.get(leaf) ?? 0) < count) return true
  return false
}

function leavesInLists(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [path, leaf] of fieldsOf(text)) {
    if (!isInList(path)) continue
    const key = `${path.replace(/\[\d+\]/g, '[]')} ${JSON.stringify(leaf)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Money is often text: `"1500.00"`. */
function numberIn(leaf: Leaf | undefined): number | undefined {
  if (typeof leaf === 'number') return leaf
  return typeof leaf === 'string' && /^-?\d+(\.\d+)?$/.test(leaf) ? Number(leaf) : undefined
}

/** Values may be in major units: 0.3 + 0.2 is 0.5. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

const signed = (by = 0) => `${by > 0 ? '+' : ''}${by}`
const labelled = (path: string) => (path === '$' ? '' : `${path}: `)

function shown(leaf: Leaf | undefined): string {
  return leaf === undefined ? '(nothing)' : short(String(leaf))
}

export function short(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line || '(nothing)'
}
