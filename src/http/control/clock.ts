import * as z from 'zod'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { Timer } from '../../engine/tables.ts'
import type { World } from '../../engine/world.ts'
import { stringEnum } from '../../settings.ts'
import { type ClockRequest, MAX_SPEED } from '../../time/clock.ts'
import type { AdvanceRequest } from '../../time/timeline-types.ts'
import { deliveriesOf } from '../deliveries-of.ts'
import type { Services } from '../services.ts'
import { variants } from '../value-schemas.ts'
import { duration, instant } from './fields.ts'
import { PAGE_QUERY } from './pagination.ts'
import { timeOrNull } from './present.ts'
import { ok, route } from './route.ts'

const SPEED = `a number above 0 and up to ${MAX_SPEED}, such as 60`

/** The modes of the clock by their names in the document. */
export const CLOCK_MODES = {
  FrozenClock: z.strictObject({
    mode: z.literal('frozen').meta({ description: 'The clock is frozen.' }),
    now: instant.optional().meta({
      description:
        'The time that the frozen clock shows. It cannot be earlier than the current time of the clock, which is the default.',
    }),
  }),
  ScaledClock: z.strictObject({
    mode: z.literal('scaled').meta({ description: 'The clock runs faster or slower than the system clock.' }),
    speed: z.number({ error: SPEED }).gt(0, SPEED).max(MAX_SPEED, SPEED).meta({
      description: 'The speed relative to the system clock: at 60, one minute of the sandbox clock takes one second.',
    }),
  }),
  RealClock: z.strictObject({
    mode: z.literal('real').meta({ description: 'The clock runs at the speed of the system clock.' }),
  }),
} as const

const clockBody = variants('mode', CLOCK_MODES, 'one of real, frozen, scaled')

const ONE_GOAL = 'exactly one of by ("20m"), to ("2026-05-06T12:00:00Z") and until ("idle")'

const advanceBody = z
  .strictObject({
    by: duration.optional().meta({ description: 'The duration of the advance: `20m`.' }),
    to: instant.optional().meta({ description: 'The time at which the advance ends.' }),
    until: stringEnum('idle')
      .optional()
      .meta({ description: '`idle` advances until no step, settlement or attempt is waiting. Expiries do not count.' }),
  })
  .refine((body) => Object.values(body).filter((goal) => goal !== undefined).length === 1, ONE_GOAL)
  .meta({ minProperties: 1, maxProperties: 1 })

export const clockRoutes = [
  route({
    name: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'Get the clock',
    description: 'Returns the mode, the time and the speed of the clock, and when the next step is due.',
    responses: { 200: 'Clock' },
    run: ({ services }) => ok(showClock(services)),
  }),
  route({
    name: 'setClock',
    method: 'POST',
    path: '/clock',
    summary: 'Set the clock',
    description:
      'Sets the mode of the clock. The clock continues from its current time, or from a later time `now` if it is frozen. It never goes back.',
    body: clockBody,
    isLongChange: true,
    responses: { 200: 'Clock' },
    errors: ['not_allowed'],
    async run({ services, body }) {
      await services.timeline.setMode(omitUndefined(body) as ClockRequest)
      return ok(showClock(services))
    },
  }),
  route({
    name: 'listSchedule',
    method: 'GET',
    path: '/clock/schedule',
    summary: 'List the scheduled steps',
    description: 'Returns the steps that are scheduled, expiries included, in the order in which they run.',
    query: z.strictObject({
      limit: PAGE_QUERY.limit,
      object_id: z
        .string()
        .optional()
        .meta({ description: 'Steps of this payment or payout, of its refunds and of its deliveries.' }),
    }),
    responses: { 200: 'Schedule' },
    run({ services: { timeline }, world, query: { limit = 100, object_id } }) {
      const ids = object_id === undefined ? undefined : relatedIds(world, object_id)
      const { count, first } = timeline.scheduled(limit, (timer) => ids?.has(timer.object_id) !== false)
      return ok({ items: first.map(showStep), total: count })
    },
  }),
  route({
    name: 'waitUntilIdle',
    method: 'GET',
    path: '/clock/idle',
    summary: 'Wait until the sandbox is idle',
    description:
      'Responds when no simulator step, settlement or webhook attempt is waiting. Scheduled retries count as waiting. Expiries do not, and neither do attempts that wait for a listener or that the fault `reorder` or `hold` delays. If the clock is frozen, the response lists the steps that are due later, and the server does not wait for them.',
    responses: { 200: 'IdleReport' },
    async run({ services }) {
      await services.timeline.idle()
      return ok({ ...showClock(services), ...showWaiting(services) })
    },
  }),
  route({
    name: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    summary: 'Advance the clock',
    description:
      'Runs every due step in order, each at its time. Responds when the webhook attempts that the steps started are over.',
    body: advanceBody,
    bodyOptional: true,
    isLongChange: true,
    responses: { 200: 'AdvanceResult' },
    errors: ['not_allowed'],
    async run({ services, body }) {
      const { now, ...counts } = await services.timeline.advance(omitUndefined(body) as AdvanceRequest)
      return ok({ now: rfc3339(now), ...counts })
    },
  }),
]

function showClock({ timeline }: Services) {
  const { mode, speed } = timeline.clock()
  return { mode, now: rfc3339(timeline.now()), speed, next_due: timeOrNull(timeline.nextDue()) }
}

function showStep({ due, kind, object_id }: Timer) {
  return { due: rfc3339(due), step: kind, object_id }
}

/** Returns the ids of an object, of its refunds and of the deliveries of its events. */
function relatedIds(world: World, id: string): ReadonlySet<string> {
  return new Set([id, ...[...world.find('refunds', 'by_payment', id), ...deliveriesOf(world, id)].map((row) => row.id)])
}

/** The maximum number of waiting steps in the response. */
const MAX_LISTED = 20

function showWaiting({ timeline }: Services) {
  const { count, first } = timeline.waiting(MAX_LISTED)
  const due = first.map(showStep)
  const [next] = due
  if (next === undefined) return { idle: true, waiting: 0, due }
  const [wait, them] = count === 1 ? ['1 step waits', 'it'] : [`${count} steps wait`, 'them']
  const message = `The clock is frozen, so ${wait}. The first is due at ${next.due}. POST /_psp/clock/advance {"until":"idle"} runs ${them}.`
  return { idle: false, waiting: count, due, message }
}
