// Numbers the payments, refunds and payouts of a case from 1, because shrinking removes most of them.
import type { Case } from './evaluate-case.ts'
import type { Schedule } from './schedule.ts'
import { createNames, eventKeyOf, type StoryStep } from './story.ts'

/** A case with new names, and the new name of each old one. */
export interface RenumberedCase {
  readonly case: Case
  readonly names: ReadonlyMap<string, string>
}

export function renumberCase({ story, schedule, resendsAll }: Case): RenumberedCase {
  const names = newNames(story.steps, schedule)
  const steps = story.steps.map((step) => renamed(step, names))
  const keys = new Map(story.steps.map((step, at) => [eventKeyOf(step), eventKeyOf(steps[at] as StoryStep)]))
  const renumbered = schedule.map((round) => round.map((one) => ({ ...one, event: keys.get(one.event) ?? one.event })))
  return { case: { story: { ...story, steps }, schedule: renumbered, resendsAll }, names }
}

/**
 * Payments are `p1`, payments of the unrelated order `u1`, refunds `r1` and payouts `o1`. The numbers follow the first
 * deliveries. Objects without a delivery are numbered last, in the order of the story.
 */
function newNames(steps: readonly StoryStep[], schedule: Schedule): ReadonlyMap<string, string> {
  const kinds = new Map(steps.flatMap(kindsOf))
  const byKey = new Map(steps.map((step) => [eventKeyOf(step), step]))
  const delivered = schedule.flat().flatMap(({ event }) => byKey.get(event) ?? [])
  const names = new Map<string, string>()
  const next = createNames()
  for (const name of [...delivered, ...steps].flatMap(namesIn)) {
    const kind = kinds.get(name)
    if (kind !== undefined && !names.has(name)) names.set(name, next(kind))
  }
  return names
}

function kindsOf(step: StoryStep): (readonly [name: string, kind: string])[] {
  if (step.do === 'create') return [[step.payment, step.order === 'unrelated' ? 'u' : 'p']]
  if (step.do === 'refund') return [[step.refund, 'r']]
  return step.do === 'payout' ? [[step.payout, 'o']] : []
}

function namesIn(step: StoryStep): string[] {
  return [
    ...('payment' in step ? [step.payment] : []),
    ...('refund' in step ? [step.refund] : []),
    ...('payout' in step ? [step.payout] : []),
  ]
}

function renamed(step: StoryStep, names: ReadonlyMap<string, string>): StoryStep {
  const nameOf = (name: string) => names.get(name) ?? name
  switch (step.do) {
    case 'refund':
      return { ...step, payment: nameOf(step.payment), refund: nameOf(step.refund) }
    case 'settle':
      return { ...step, refund: nameOf(step.refund) }
    case 'payout':
      return { ...step, payout: nameOf(step.payout) }
    default:
      return { ...step, payment: nameOf(step.payment) }
  }
}
