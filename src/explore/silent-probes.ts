// Finds probes that show nothing: their value is the same after every simple story, or differs at each read.
import { type Probe, ProbeError } from '../audit/ports.ts'
import { fieldsOf } from '../audit/probe-fields.ts'
import type { FailedEvaluation } from './evaluate-case.ts'
import { type Lesson, lessonFields } from './learn-meanings.ts'
import { showLeaf } from './order-fields.ts'
import { inOrderSchedule } from './schedule.ts'
import { allowedStates } from './story-event.ts'
import type { StoryRun } from './story-run.ts'

/** Returns the probes that did not change, although the stories left orders in different states. */
export function silentProbes(
  lessons: readonly Lesson[],
  probes: readonly Probe[],
  volatile: ReadonlySet<string>,
): readonly Probe[] {
  const states = new Set(lessons.map(({ enacted }) => allowedStates(enacted.events)[0]))
  states.delete(undefined)
  if (states.size < 2) return []
  return probes.filter(
    (probe) => (probe.isPerOrder ? orderValuesOf(lessons, probe, volatile) : shopValuesOf(lessons, probe)).size < 2,
  )
}

/** Returns the distinct values that the probe shows for the orders. */
function orderValuesOf(
  lessons: readonly Lesson[],
  { label }: Probe,
  volatile: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    lessons.flatMap(({ enacted, end }) =>
      end.filter(({ probe }) => probe === label).map((one) => textOf(lessonFields(one, enacted, volatile))),
    ),
  )
}

/** Returns the distinct values that a probe of the whole shop showed before and after the stories. */
function shopValuesOf(lessons: readonly Lesson[], probe: Probe): ReadonlySet<string> {
  const volatile = new Set(probe.volatile())
  return new Set(
    lessons
      .flatMap(({ shop }) => shop.filter((one) => one.probe === probe.label))
      .flatMap(({ before, after }) => [before, after].map((text) => textOf(fieldsOf(text, [], volatile)))),
  )
}

function textOf(fields: ReadonlyMap<string, unknown>): string {
  return JSON.stringify([...fields])
}

/** @throws ProbeError if a value of one of the probes differs at each read */
export function requireSettled(silent: readonly Probe[]): void {
  for (const { label, volatile } of silent) {
    const [path] = volatile()
    if (path === undefined) continue
    const what = path === '$' ? 'its value' : path
    throw new ProbeError(
      `The probe ${label} does not settle: ${what} differs at each read.`,
      'Probe a value that changes only if an event is handled.',
    )
  }
}

/** Returns the failure for the case that no probe shows any effect of the events. Its case is the first simple story. */
export function noEffectFailure(silent: readonly Probe[], storyRun: StoryRun): FailedEvaluation {
  const [{ label, isPerOrder }] = silent as readonly [Probe]
  const { story, events } = storyRun.enacted
  const text =
    storyRun.result.end.find(({ probe }) => probe === label)?.text ??
    storyRun.shop.find(({ probe }) => probe === label)?.after
  return {
    case: { story, schedule: inOrderSchedule(events.map(({ key }) => key)), resendsAll: false },
    violation: {
      oracle: 'truth',
      cause: 'truth no effect',
      title: `${silent.map((probe) => probe.label).join(' and ')} did not change in any story.`,
      probe: label,
      got: showLeaf(text?.trim() === '' ? undefined : text),
      expected: 'a value that depends on what happened to the payment',
      why: 'Payments, refunds and failures have no visible effect, so nothing else can be judged.',
      fix: 'Check that the handler stores what it receives, and that the probe shows it. If the handler accepts only orders that it created, add --order-url or --order-cmd.',
      ...(isPerOrder && { order: 'main' as const }),
    },
    inOrder: storyRun,
    scheduled: undefined,
    sent: 0,
  }
}
