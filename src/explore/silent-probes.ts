// Finds probes that show nothing: their value is the same after every simple story, or differs at each read.
import { type Probe, ProbeError } from '../audit/ports.ts'
import { type Fields, fieldsOf } from '../audit/probe-fields.ts'
import { type FailedEvaluation, failedInOrder } from './evaluate-case.ts'
import { SETTLE, unsettledReason } from './not-judged.ts'
import { fieldsOfReading, showLeaf } from './order-fields.ts'
import { allowedStates } from './story-event.ts'
import type { StoryRun } from './story-run.ts'

/** Returns the probes that did not change, although the stories left orders in different states. */
export function silentProbes(
  lessons: readonly StoryRun[],
  probes: readonly Probe[],
  volatile: ReadonlySet<string>,
): readonly Probe[] {
  const states = new Set(lessons.map(({ enacted }) => allowedStates(enacted.events)[0]))
  states.delete(undefined)
  if (states.size < 2) return []
  return probes.filter((probe) => {
    const values = probe.isPerOrder ? orderValuesOf(lessons, probe, volatile) : shopValuesOf(lessons, probe)
    return new Set(values.map((fields) => JSON.stringify([...fields]))).size < 2
  })
}

/** Returns what the probe shows for the orders. */
function orderValuesOf(lessons: readonly StoryRun[], { label }: Probe, volatile: ReadonlySet<string>): Fields[] {
  return lessons.flatMap(({ result, sentIds }) =>
    result.end.filter(({ probe }) => probe === label).map((reading) => fieldsOfReading(reading, { sentIds, volatile })),
  )
}

/** Returns what a probe of the whole shop showed before and after the stories. */
function shopValuesOf(lessons: readonly StoryRun[], probe: Probe): Fields[] {
  const volatile = new Set(probe.volatile())
  return lessons
    .flatMap(({ shop }) => shop.filter((one) => one.probe === probe.label))
    .flatMap(({ before, after }) => [before, after].map((text) => fieldsOf(text, [], volatile)))
}

/** @throws ProbeError if a value of one of the probes differs at each read */
export function requireSettled(silent: readonly Probe[]): void {
  for (const probe of silent) {
    const reason = unsettledReason(probe)
    if (reason !== undefined) throw new ProbeError(`The probe ${probe.label} ${reason}`, SETTLE)
  }
}

/**
 * Returns the failure to report if no probe shows any effect of the events.
 * @param lesson the run of the first simple story, which becomes the case
 */
export function noEffectFailure(silent: readonly Probe[], lesson: StoryRun): FailedEvaluation {
  const [{ label, isPerOrder }] = silent as readonly [Probe]
  const text =
    lesson.result.end.find(({ probe }) => probe === label)?.text ??
    lesson.shop.find(({ probe }) => probe === label)?.after
  return failedInOrder(lesson, {
    oracle: 'truth',
    cause: 'truth no effect',
    title: `${silent.map((probe) => probe.label).join(' and ')} did not change in any story.`,
    probe: label,
    got: showLeaf(text?.trim() === '' ? undefined : text),
    expected: 'a value that depends on what happened to the payment',
    why: 'Payments, refunds and failures have no visible effect, so nothing else can be judged.',
    fix: 'Check that the handler stores what it receives, and that the probe shows it. If the handler accepts only orders that it created, add --order-url or --order-cmd.',
    ...(isPerOrder && { order: 'main' as const }),
  })
}
