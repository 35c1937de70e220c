// A schedule, as data: in which order and how many times the events of a story are delivered.

/** An event that is sent in a round, once or as several copies. */
export interface ScheduledDelivery {
  /** See `eventKeyOf`. */
  readonly event: string
  /** Number of copies that are sent at the same time. Ignored if the response is lost. */
  readonly copies: number
  /** The sender closes the connection before it receives the response, and sends the event again. */
  readonly response_lost?: true
}

/** The events that are sent at the same time. */
export type Round = readonly ScheduledDelivery[]
export type Schedule = readonly Round[]

/** Returns the schedule that sends each event once, in the order of the story. */
export function inOrderSchedule(events: readonly string[]): Schedule {
  return events.map((event) => [{ event, copies: 1 }])
}

/** Makes a schedule legal for these events: unknown events are removed, and missing ones are sent at the end. */
export function fitSchedule(schedule: Schedule, events: readonly string[]): Schedule {
  const known = new Set(events)
  const kept = withoutEmptyRounds(schedule.map((round) => round.filter(({ event }) => known.has(event))))
  const sent = new Set(kept.flatMap((round) => round.map(({ event }) => event)))
  return [...kept, ...inOrderSchedule(events.filter((event) => !sent.has(event)))]
}

export function withoutEmptyRounds(schedule: Schedule): Schedule {
  return schedule.filter((round) => round.length > 0)
}

/** Returns whether the schedule sends anything at the same time, so that its result may depend on timing. */
export function isConcurrent(schedule: Schedule): boolean {
  return schedule.some(
    (round) => round.length > 1 || round.some(({ copies, response_lost }) => copies > 1 || response_lost === true),
  )
}

/** Returns the number of messages that the schedule sends, without retries. */
export function countMessages(schedule: Schedule): number {
  return schedule.flat().reduce((sum, { copies, response_lost }) => sum + (response_lost === true ? 2 : copies), 0)
}

/** Returns whether the schedule sends each event once and in this order. */
export function isInOrder(schedule: Schedule, events: readonly string[]): boolean {
  return JSON.stringify(schedule) === JSON.stringify(inOrderSchedule(events))
}
