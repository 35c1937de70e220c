// Lists the fields and events that a search could not judge, the reasons, and what a probe must show instead.
import type { Probe } from '../audit/ports.ts'
import { SHOW_REFUNDS } from '../audit/refund-fields.ts'
import type { Meanings } from './learn-meanings.ts'
import type { UnseenRefund } from './refund-effect.ts'

/** A field, probe or kind of event that the search did not judge. */
export interface NotJudged {
  readonly what: string
  readonly why: string
  readonly fix: string
}

export const NO_PROBE: NotJudged = {
  what: 'orders and sums',
  why: 'Without a probe only responses are judged.',
  fix: "Add --probe 'orders/{order_id}' and --probe balance.",
}

interface LearnedProbes {
  readonly probes: readonly Probe[]
  readonly meanings: Meanings
  /** Probes that did not change in any simple story. */
  readonly silent: readonly Probe[]
  readonly unseenRefund: UnseenRefund | undefined
}

export function listNotJudged({ probes, meanings, silent, unseenRefund }: LearnedProbes): NotJudged[] {
  if (probes.length === 0) return [NO_PROBE]
  return [
    ...silent.map(silentProbeNotJudged),
    ...probes.filter((probe) => !silent.includes(probe)).flatMap((probe) => volatileFieldsNotJudged(probe, meanings)),
    ...(unseenRefund === undefined || unseenRefund.violation !== undefined ? [] : [refundNotJudged(unseenRefund)]),
  ]
}

function silentProbeNotJudged(probe: Probe): NotJudged {
  const { label, isPerOrder } = probe
  const unsettled = unsettledReason(probe)
  if (unsettled !== undefined) return { what: label, why: `It ${unsettled}`, fix: SETTLE }
  return { what: label, why: 'It did not change in any simple story.', fix: isPerOrder ? SHOW_ORDER : SHOW_MONEY }
}

/** If a value of the probe differs at each read, returns the end of a sentence that begins with the probe. */
export function unsettledReason(probe: Probe): string | undefined {
  const [path] = probe.volatile()
  return path === undefined ? undefined : `does not settle: ${path === '$' ? 'its value' : path} differs at each read.`
}

export const SETTLE = 'Probe a value that changes only if an event is handled.'
const SHOW_ORDER =
  'Let the probe show the status of the order with this id, and the sums that were received and refunded.'
const SHOW_MONEY = "Let the probe show the shop's money: a number that payments raise and refunds lower."

function volatileFieldsNotJudged(probe: Probe, { volatile: volatileIds }: Meanings): NotJudged[] {
  const { label } = probe
  const volatile = [...probe.volatile()]
  const ofRuns = [...volatileIds].filter((id) => id.startsWith(`${label} `)).map((id) => id.slice(label.length + 1))
  const others = ofRuns.filter((path) => !volatile.includes(path))
  return [
    ...(volatile.length === 0 ? [] : [{ what: fieldsOfProbe(volatile, label), why: DIFFERS, fix: SETTLE }]),
    ...(others.length === 0 ? [] : [{ what: fieldsOfProbe(others, label), why: TWO_RUNS, fix: DEPEND }]),
  ]
}

function fieldsOfProbe(paths: readonly string[], label: string): string {
  return `${paths.join(', ')} of ${label}`
}

const DIFFERS = 'Each read returns a different value.'
const TWO_RUNS = 'Two runs of the same story in order end with different values.'
const DEPEND =
  'If the value is random or counts all orders, ignore this. Otherwise let the value depend only on the events of its order.'

function refundNotJudged({ kindText }: UnseenRefund): NotJudged {
  const refund = kindText === 'refunds' ? 'refunded in full' : 'refunded in part'
  return { what: kindText, why: `No probe changes if a payment is ${refund}.`, fix: SHOW_REFUNDS }
}
