// How a step changed the value of a probe: a balance, a count of paid orders, or the state of an order.

import { ellipsize } from '../domain/characters.ts'
import { DELIVERIES, TIME, VERSION } from './mask-values.ts'
import {
  differing,
  entryOf,
  type Fields,
  fieldsOf,
  isHistory,
  isInList,
  isOwnId,
  isSameButForIds,
  type Leaf,
  numberOf,
} from './probe-fields.ts'
import type { SentIds } from './sent-ids.ts'

/** The payment and order that a probe is asked about. */
export interface Subject {
  readonly payment_id: string
  readonly order_id: string
}

/** The value of a probe before and after one step. */
export interface Effect {
  readonly about: Subject
  readonly before: string
  readonly after: string
  /** The probe asks for the order or payment of the step, not for the whole shop. */
  readonly isPerOrder: boolean
  /** The ids that were sent about the payment. */
  readonly sentIds: SentIds
  /** Fields that change although nothing was sent, as paths with `{}` for each placeholder (`generalPath`). */
  readonly volatile: ReadonlySet<string>
  /** Why the value is empty, such as a 404 with its address. */
  readonly note?: string
}

/** `unseen`: the value does not show the effect. */
export type Judgement =
  | { readonly verdict: 'right'; readonly text?: string }
  | { readonly verdict: 'wrong'; readonly text: string; readonly fix?: string }
  | { readonly verdict: 'unseen'; readonly text: string; readonly fix?: string }

export const RIGHT: Judgement = { verdict: 'right' }
export const wrong = (text: string, fix?: string): Judgement =>
  fix === undefined ? { verdict: 'wrong', text } : { verdict: 'wrong', text, fix }
export const unseen = (text: string, fix?: string): Judgement => ({ verdict: 'unseen', text, ...(fix && { fix }) })

export function hasChanged(effect: Effect): boolean {
  return differing(before(effect), after(effect)).length > 0
}

/** Returns whether something that existed before changed, except in lists and counters of tries. */
export function hasExistingChanged(effect: Effect): boolean {
  const was = before(effect)
  const apart = differing(was, after(effect)).filter(
    (path) => !isInList(path) && !isHistory(path) && !isNewEntry(path, was),
  )
  return apart.length > 0 || hasLostItem(effect)
}

const before = (effect: Effect): Fields => fieldsOf(effect.before, effect.sentIds, effect.volatile)
const after = (effect: Effect): Fields => fieldsOf(effect.after, effect.sentIds, effect.volatile)

/** Returns whether the path is in a new entry of an object whose keys are ids. */
function isNewEntry(path: string, was: Fields): boolean {
  const entry = entryOf(path)
  return entry !== undefined && ![...was.keys()].some((known) => known === entry || known.startsWith(`${entry}.`))
}

/** Returns the paths that both steps set to the same value. */
export function becameLike(one: Effect, other: Effect): string[] {
  const [is, target] = [after(one), after(other)]
  const set = new Set(differing(before(other), target))
  return differing(before(one), is).filter((path) => set.has(path) && is.get(path) === target.get(path))
}

/** Returns two consecutive steps as one. */
export function mergeEffects(first: Effect, last: Effect): Effect {
  return { ...first, after: last.after, sentIds: [...first.sentIds, ...last.sentIds] }
}

/** Returns by how much each number changed, by path. A new order counts from 0. Lists are ignored. */
export function changes(effect: Effect): ReadonlyMap<string, number> {
  const was = before(effect)
  const found = new Map<string, number>()
  for (const [path, to] of after(effect)) {
    const isNew = (was.size === 0 && effect.isPerOrder) || (!was.has(path) && isNewEntry(path, was))
    const from = was.get(path) ?? (isNew ? 0 : undefined)
    const [left, right] = [numberOf(from), numberOf(to)]
    if (left !== undefined && right !== undefined && !isInList(path)) found.set(path, round(right - left))
  }
  return found
}

/** The comparison of two orders. `text` names differences, ignored fields, or why no comparison is possible. */
export interface Comparison {
  readonly same: boolean | undefined
  readonly text?: string
}

export function compareEffects(a: Effect, b: Effect): Comparison {
  if (a.about.order_id === b.about.order_id) {
    return { same: undefined, text: 'both payments were for the same order' }
  }
  return a.isPerOrder && b.isPerOrder ? compareStates(a, b) : compareSums(a, b)
}

/** Compares the state of each order, in the fields that the events changed in one of them or in both. */
function compareStates(a: Effect, b: Effect): Comparison {
  const states = [after(a), after(b)] as const
  const were = [before(a), before(b)] as const
  const touched = new Set([...differing(were[0], states[0]), ...differing(were[1], states[1])])
  const apart = differing(...states).filter((path) => touched.has(path) && !hasSameIncrease(path, were, states))
  const ids = apart.filter((path) => isOwnId(path) || isSameButForIds(states[0].get(path), states[1].get(path)))
  const rest = apart.filter((path) => !ids.includes(path))
  if (rest.length > 0) return { same: false, text: listed(rest, ...states, ', not ') }
  return { same: true, ...(ids.length === 0 ? {} : { text: `${ids.join(', ')} not compared` }) }
}

/** Returns whether a number changed by the same amount in both orders. */
function hasSameIncrease(path: string, were: readonly [Fields, Fields], states: readonly [Fields, Fields]): boolean {
  const by = ([0, 1] as const).map((at) => {
    const [from, to] = [numberOf(were[at].get(path)), numberOf(states[at].get(path))]
    return from === undefined || to === undefined ? undefined : round(to - from)
  })
  return by[0] !== undefined && by[0] === by[1]
}

/** Compares values of the whole shop: only the changes of numbers are comparable. */
function compareSums(a: Effect, b: Effect): Comparison {
  const [left, right] = [changes(a), changes(b)]
  const paths = [...left.keys()].filter((path) => right.has(path) && (left.get(path) !== 0 || right.get(path) !== 0))
  if (paths.length === 0) return { same: undefined, text: `no number of the probe changed (${truncate(a.after)})` }
  const apart = paths.filter((path) => left.get(path) !== right.get(path))
  if (apart.length === 0) return { same: true }
  return {
    same: false,
    text: apart.map((path) => `${labelled(path)}${signed(left.get(path))}, not ${signed(right.get(path))}`).join('; '),
  }
}

/** Returns `the value +1500 (0 -> 1500)`, or `$.status: paid -> expired`. */
export function formatEffect(effect: Effect): string {
  const [was, is] = [before(effect), after(effect)]
  const by = [...changes(effect)]
  const [only] = by
  if (only !== undefined && by.length === 1 && is.size === 1 && only[0] === '$') {
    return `the value ${signed(only[1])} (${shown(was.get('$'))} -> ${shown(is.get('$'))})`
  }
  const paths = differing(was, is)
  return `${paths[0] === '$' ? 'the value ' : ''}${listed(paths, was, is, ' -> ')}`
}

/** Returns the paths that no comparison includes, by the reason. */
export function maskedFields(effect: Effect): {
  readonly [what in 'times' | 'versions' | 'counts of deliveries' | 'changes by itself']: string[]
} {
  const all = [...before(effect), ...after(effect)]
  const holding = (mask: string) =>
    all.filter(([path, leaf]) => path.includes(mask) || (typeof leaf === 'string' && leaf.includes(mask)))
  return {
    times: holding(TIME).map(([path]) => path),
    versions: holding(VERSION).map(([path]) => path),
    'counts of deliveries': holding(DELIVERIES).map(([path]) => path),
    'changes by itself': [...effect.volatile],
  }
}

const MAX_LISTED = 5

function listed(paths: readonly string[], left: Fields, right: Fields, between: string): string {
  const lines = paths.map((path) => `${labelled(path)}${shown(left.get(path))}${between}${shown(right.get(path))}`)
  const more = lines.length - MAX_LISTED
  return lines.slice(0, MAX_LISTED).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

/** Returns whether an item disappeared from a list. Lists may grow. */
function hasLostItem(effect: Effect): boolean {
  const kept = leavesInLists(after(effect))
  for (const [leaf, count] of leavesInLists(before(effect))) if ((kept.get(leaf) ?? 0) < count) return true
  return false
}

function leavesInLists(fields: Fields): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [path, leaf] of fields) {
    if (!isInList(path)) continue
    const key = `${path.replace(/\[\d+\]/g, '[]')} ${JSON.stringify(leaf)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** Removes floating-point errors, because values may be in major units. */
function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

const signed = (by = 0) => `${by > 0 ? '+' : ''}${by}`
const labelled = (path: string) => (path === '$' ? '' : `${path}: `)

function shown(leaf: Leaf | undefined): string {
  return leaf === undefined ? '(nothing)' : truncate(String(leaf))
}

export function truncate(text: string): string {
  return ellipsize(text.trim().replace(/\s+/g, ' '), 60) || '(nothing)'
}
