// The legal changes of a schedule. Spec 6.1 fixes only the order of first attempts, so any event may arrive late or repeatedly.
import type { Randomness } from '../engine/ports.ts'
import { drawBelow, drawWeighted, type Weighted } from './draw.ts'
import { type Schedule, type ScheduledDelivery, withoutEmptyRounds } from './schedule.ts'

interface Mutation extends Weighted {
  readonly id: string
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
    apply: (schedule, random) =>
      changeScheduledDelivery(schedule, random, (one) => ({ ...one, copies: 2 + drawBelow(random, MAX_COPIES - 1) })),
  },
  {
    id: 'repeat_later',
    weight: 4,
    apply(schedule, random) {
      const at = drawBelow(random, schedule.length)
      const later = at + 1 + drawBelow(random, schedule.length - at)
      return insertRound(
        schedule,
        later,
        (schedule[at] ?? []).map(({ event }) => ({ event, copies: 1 })),
      )
    },
  },
  {
    id: 'response_lost',
    weight: 2,
    apply: (schedule, random) =>
      changeScheduledDelivery(schedule, random, ({ event }) => ({ event, copies: 1, lost: true })),
  },
  {
    id: 'together',
    weight: 5,
    apply(schedule, random) {
      const at = drawBelow(random, schedule.length - 1)
      const both = [...(schedule[at] ?? []), ...(schedule[at + 1] ?? [])]
      return withoutEmptyRounds(schedule.flatMap((round, n) => (n === at ? [both] : n === at + 1 ? [] : [round])))
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
    if (
      changed.length > 1 ||
      mutation.id === 'copies' ||
      mutation.id === 'repeat_later' ||
      mutation.id === 'response_lost'
    )
      changed = mutation.apply(changed, random)
  }
  return changed
}

function moveRound(schedule: Schedule, from: number, to: number): Schedule {
  const rest = schedule.filter((_, at) => at !== from)
  const moved = schedule[from]
  return moved === undefined ? schedule : [...rest.slice(0, to), moved, ...rest.slice(to)]
}

function insertRound(schedule: Schedule, at: number, round: readonly ScheduledDelivery[]): Schedule {
  return [...schedule.slice(0, at), round, ...schedule.slice(at)]
}

function changeScheduledDelivery(
  schedule: Schedule,
  random: Randomness,
  change: (one: ScheduledDelivery) => ScheduledDelivery,
): Schedule {
  const at = drawBelow(random, schedule.length)
  const within = drawBelow(random, schedule[at]?.length ?? 1)
  return schedule.map((round, n) => (n === at ? round.map((one, m) => (m === within ? change(one) : one)) : round))
}
