// What the probes say of a check of effects: each that can see it judges, one that sees a fault is enough.
import type { Check, Ground } from './check.ts'
import { type Effect, maskedIn, moved } from './effect.ts'

/** What one probe saw of each step. */
export interface Seen {
  /** As it was given on the command line. */
  readonly label: string
  /** It asks for one order or payment. */
  readonly own: boolean
  readonly effects: readonly Effect[]
}

export interface Finding {
  readonly result: 'pass' | 'fail' | 'warn'
  readonly text: string
  readonly fix?: string
}

export function judgeByProbes(check: Check, seen: readonly Seen[], ground: Ground): Finding {
  if (check.judge === undefined || seen.length === 0) {
    return { result: 'warn', text: 'the effect was not seen', fix: PROBE }
  }
  const judge = check.judge
  const said = seen.map((probe) => ({ probe, judgement: judge(probe.effects, ground) }))
  const named = ({ probe, judgement }: (typeof said)[number]) =>
    seen.length === 1 ? (judgement.text ?? '') : `${probe.label}: ${judgement.text ?? ''}`
  const faults = said.filter(({ judgement }) => judgement.verdict === 'wrong')
  if (faults.length > 0) return { result: 'fail', text: faults.map(named).join('; ') }
  const silent = seen.filter(({ effects }) => effects.every((effect) => effect.said !== undefined && !moved(effect)))
  if (silent.length > 0) return { result: 'fail', text: silent.map(silence).join('; '), fix: SILENT }
  const right = said.filter(({ judgement }) => judgement.verdict === 'right')
  const enough = right.filter(({ probe }) => probe.own || check.ofOrder !== true)
  if (enough.length > 0) return { result: 'pass', text: `the effect is right${remarks(enough)}` }
  if (right.length > 0) return { result: 'warn', text: SHOP_ONLY, fix: ORDER_PROBE }
  const blind = said.map(named).join('; ')
  return {
    result: 'warn',
    text: blind,
    fix: check.ofOrder === true && !seen.some(({ own }) => own) ? ORDER_PROBE : PROBE,
  }
}

/** The same finding in each check of effects: what it was asked for is misspelt, or kept by nobody. */
export function isOfSilentProbe({ fix }: { readonly fix: string }): boolean {
  return fix === SILENT
}

/** A probe that gives no value after events that were all taken cannot ever turn a check red. */
function silence({ label, effects }: Seen): string {
  return `the probe ${label} ${effects.at(-1)?.said ?? ''}, after every event`
}

/** Nothing is left out silently. */
function remarks(right: readonly { readonly probe: Seen; readonly judgement: { readonly text?: string } }[]): string {
  const left = right.flatMap(({ probe, judgement }) => [
    ...(judgement.text === undefined ? [] : [judgement.text]),
    ...leftOut(probe),
  ])
  return left.length === 0 ? '' : ` (${[...new Set(left)].join('; ')})`
}

function leftOut({ effects }: Seen): string[] {
  const found = new Map<string, Set<string>>()
  for (const effect of effects) {
    for (const [what, paths] of Object.entries(maskedIn(effect))) {
      found.set(what, new Set([...(found.get(what) ?? []), ...paths]))
    }
  }
  return [...found]
    .filter(([, paths]) => paths.size > 0)
    .map(([what, paths]) => `${what} not compared: ${few([...paths])}`)
}

function few(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return `${paths.slice(0, 3).join(', ')}${more}`
}

const SHOP_ONLY = 'a value of the whole shop is right, and does not show the state of the order'
const SILENT =
  'Check the path after --probe. Where the path is right, the handler took the events and kept nothing: one that knows only its own orders needs --order-id.'
export const ORDER_PROBE = "Give a probe of the order too, beside the other: --probe 'orders/{order_id}'."
const PROBE =
  "Let --probe URL or --probe-cmd CMD give values that events change: --probe balance --probe 'orders/{order_id}'; a status alone proves nothing."
