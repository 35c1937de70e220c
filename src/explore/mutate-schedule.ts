// Legal changes of a schedule. Spec 6.1 fixes only the order of first attempts, so any event may be late or repeated.
import type { Randomness } from '../engine/ports.ts'
import { drawBelow, drawWeighted, type Weighted } from './draw.ts'
import { type Schedule, type ScheduledDelivery, withoutEmptyRounds } from './schedule.ts'

interface Mutation extends Weighted {
  readonly id: string
  /** The mutation also applies to a schedule with only one round. */
  readonly allowsOneRound?: true
  apply(schedule: Schedule, random: Randomness): Schedule
}

const MAX_COPIES = 4

export const MUTATIONS = [
  {
    id: 'swap',
    weight: 4,
    apply(schedule, random) {
      const at = drawBelow(random, schedule.length - 1)
      return moveRound(schedule, at, at + 1)
    },
  },
  {
    id: 'delay',
    weight: 4,
    apply(schedule, random) {
      const at = drawBelow(random, schedule.length)
      return moveRound(schedule, at, at + 1 + drawBelow(random, 3))
    },
  },
  {
    id: 'copies',
    weight: 4,
    allowsOneRound: true,
    apply: (schedule, random) =>
      changeScheduledDelivery(schedule, random, (one) => ({ ...one, copies: 2 + drawBelow(random, MAX_COPIES - 1) })),
  },
  {
    id: 'repeat_later',
    weight: 4,
    allowsOneRound: true,
    apply(schedule, random) {
      const at = drawBelow(random, schedule.length)
      const later = at + 1 + drawBelow(random, schedule.length - at)
      const repeated = (schedule[at] ?? []).map(({ event }) => ({ event, copies: 1 }))
      return schedule.toSpliced(later, 0, repeated)
    },
  },
  {
    id: 'response_lost',
    weight: 2,
    allowsOneRound: true,
    apply: (schedule, random) =>
      changeScheduledDelivery(schedule, random, ({ event }) => ({ event, copies: 1, response_lost: true })),
  },
  {
    id: 'together',
    weight: 5,
    apply(schedule, random) {
      const at = drawBelow(random, schedule.length - 1)
      return withoutEmptyRounds(schedule.toSpliced(at, 2, schedule.slice(at, at + 2).flat()))
    },
  },
  {
    id: 'last',
    weight: 3,
    apply: (schedule, random) => moveRound(schedule, drawBelow(random, schedule.length), schedule.length),
  },
] as const satisfies readonly Mutation[]

/** Applies 1 to 3 mutations. */
export function mutateSchedule(schedule: Schedule, random: Randomness): Schedule {
  let changed = schedule
  for (let left = 1 + drawBelow(random, 3); left > 0; left--) {
    const mutation: Mutation = drawWeighted(random, MUTATIONS)
    if (changed.length > 1 || mutation.allowsOneRound === true) changed = mutation.apply(changed, random)
  }
  return changed
}

function moveRound(schedule: Schedule, from: number, to: number): Schedule {
  const moved = schedule[from]
  return moved === undefined ? schedule : schedule.toSpliced(from, 1).toSpliced(to, 0, moved)
}

function changeScheduledDelivery(
  schedule: Schedule,
  random: Randomness,
  change: (one: ScheduledDelivery) => ScheduledDelivery,
): Schedule {
  const at = drawBelow(random, schedule.length)
  const round = schedule[at] ?? []
  const within = drawBelow(random, round.length)
  const delivery = round[within]
  return delivery === undefined ? schedule : schedule.with(at, round.with(within, change(delivery)))
}
