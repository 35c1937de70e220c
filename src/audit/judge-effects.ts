// Judges the effects of a check by the probes. One probe that shows a wrong effect is enough to fail the check.
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Check, MessageValues } from './check.ts'
import { type Effect, hasChanged, type Judgement, maskedFields } from './effect.ts'

/** The effects that one probe saw, one for each step. */
export interface ProbeResult {
  /** The probe as given on the command line. */
  readonly label: string
  /** The probe asks for one order or payment. */
  readonly isPerOrder: boolean
  readonly effects: readonly Effect[]
}

export interface CheckFinding {
  readonly result: 'pass' | 'fail' | 'warn'
  readonly text: string
  readonly fix?: string
}

export function judgeByProbes(check: Check, seen: readonly ProbeResult[], values: MessageValues): CheckFinding {
  if (check.judge === undefined || seen.length === 0) {
    return { result: 'warn', text: 'the effect was not seen', fix: PROBE }
  }
  const judge = check.judge
  const judgements = seen.map((probe) => ({ probe, judgement: judge(probe.effects, values) }))
  const named = ({ probe, judgement }: (typeof judgements)[number]) =>
    seen.length === 1 ? (judgement.text ?? '') : `${probe.label}: ${judgement.text ?? ''}`
  const wrong = judgements.filter(({ judgement }) => judgement.verdict === 'wrong')
  if (wrong.length > 0) return { result: 'fail', text: wrong.map(named).join('; '), ...fixOf(wrong) }
  const empty = seen.filter(({ effects }) =>
    effects.every((effect) => effect.note !== undefined && !hasChanged(effect)),
  )
  // Without this failure, a misspelt probe could never fail a check.
  if (empty.length > 0) return { result: 'fail', text: empty.map(emptyProbeText).join('; '), fix: CHECK_PROBE }
  const right = judgements.filter(({ judgement }) => judgement.verdict === 'right')
  const enough = right.filter(({ probe }) => probe.isPerOrder || check.needsOrderProbe !== true)
  if (enough.length > 0) return { result: 'pass', text: `the effect is correct${remarks(enough)}` }
  if (right.length > 0) return { result: 'warn', text: SHOP_ONLY, fix: ORDER_PROBE }
  const blind = judgements.map(named).join('; ')
  return {
    result: 'warn',
    text: blind,
    fix: check.needsOrderProbe === true && !seen.some(({ isPerOrder }) => isPerOrder) ? ORDER_PROBE : PROBE,
    ...fixOf(judgements),
  }
}

/** Returns the first fix that a judgement has. It replaces the fix of the check. */
function fixOf(judgements: readonly { readonly judgement: Judgement }[]): { readonly fix?: string } {
  const fixes = judgements.flatMap(({ judgement }) => (judgement.verdict === 'right' ? [] : [judgement.fix]))
  return omitUndefined({ fix: fixes.find((one) => one !== undefined) })
}

/**
 * Returns whether the finding is that a probe returned no value: the probe is misspelt, or the handler does not store
 * the order. Usually all checks with probes then have this finding.
 */
export function isEmptyProbeFinding({ fix }: { readonly fix: string }): boolean {
  return fix === CHECK_PROBE
}

/** Returns the text for a probe that returned no value after accepted events. */
function emptyProbeText({ label, effects }: ProbeResult): string {
  return `the probe ${label} ${effects.at(-1)?.note ?? ''}, after every event`
}

/**
 * Returns the remarks on the probes that showed the correct effect, and the fields that were not compared: at most
 * three for each reason, and the number of the others.
 */
function remarks(
  right: readonly { readonly probe: ProbeResult; readonly judgement: { readonly text?: string } }[],
): string {
  const left = right.flatMap(({ probe, judgement }) => [
    ...(judgement.text === undefined ? [] : [judgement.text]),
    ...ignoredFields(probe),
  ])
  return left.length === 0 ? '' : ` (${[...new Set(left)].join('; ')})`
}

function ignoredFields({ effects }: ProbeResult): string[] {
  const found = new Map<string, Set<string>>()
  for (const effect of effects) {
    for (const [what, paths] of Object.entries(maskedFields(effect))) {
      found.set(what, new Set([...(found.get(what) ?? []), ...paths]))
    }
  }
  return [...found]
    .filter(([, paths]) => paths.size > 0)
    .map(([what, paths]) => `${what} not compared: ${firstThree([...paths])}`)
}

function firstThree(paths: readonly string[]): string {
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
  return `${paths.slice(0, 3).join(', ')}${more}`
}

const SHOP_ONLY = 'a value of the whole shop is correct, but it does not show the state of the order'
const CHECK_PROBE =
  'Check the path after --probe. If the path is correct, the handler accepted the events and stored nothing. If it handles only orders that it created, pass them with --order-id.'
export const ORDER_PROBE = "Add a probe of the order: --probe 'orders/{order_id}'."
const PROBE =
  "Let --probe URL or --probe-cmd CMD return values that events change: --probe balance --probe 'orders/{order_id}'. A status alone is not enough."
