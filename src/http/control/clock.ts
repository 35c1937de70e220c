import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { ClockRequest } from '../../time/clock.ts'
import type { AdvanceRequest } from '../../time/timeline-contract.ts'
import type { Services } from '../services.ts'
import { duration, given, instant, oneOf } from './fields.ts'
import { ok, route } from './route.ts'

const clockBody = z.discriminatedUnion(
  'mode',
  [
    z.strictObject({
      mode: z.literal('frozen').meta({ description: 'It stands still.' }),
      now: instant
        .optional()
        .meta({ description: 'Stands at this time, which is not before the one it shows. Default: now.' }),
    }),
    z.strictObject({
      mode: z.literal('scaled').meta({ description: 'It goes faster or slower.' }),
      speed: z
        .number({ error: 'a number above 0, such as 60' })
        .meta({ description: 'How many times as fast as the wall clock: 60 makes a minute a second.' }),
    }),
    z.strictObject({ mode: z.literal('real').meta({ description: 'It goes on from now as the wall clock does.' }) }),
  ],
  { error: 'one of real, frozen, scaled' },
)

const advanceBody = z.strictObject({
  by: duration.optional().meta({ description: 'So long: `20m`.' }),
  to: instant.optional().meta({ description: 'Until this time.' }),
  until: oneOf('idle').optional().meta({ description: 'Until no step, settlement or attempt waits.' }),
})

export const clock = [
  route({
    method: 'GET',
    path: '/clock',
    summary: 'The clock: mode, time, speed and when the next step is due',
    answers: { 200: 'Clock' },
    run: ({ services }) => ok(showClock(services)),
  }),
  route({
    method: 'POST',
    path: '/clock',
    summary:
      'Sets the mode of the clock, which goes on from what it shows or from a later time; an earlier one is refused',
    body: clockBody,
    waits: true,
    answers: { 200: 'Clock' },
    refuses: ['bad_request'],
    async run({ services, body }) {
      await services.timeline.setMode(given(body) as ClockRequest)
      return ok(showClock(services))
    },
  }),
  route({
    method: 'GET',
    path: '/clock/idle',
    summary:
      'The clock, once no simulator step, settlement or webhook attempt waits, retries included; expiries do not count. If the clock is frozen, steps that are due later are listed instead of waited for. An attempt that waits for a listener, or for the next webhook (fault reorder), does not count',
    answers: { 200: 'Idle' },
    async run({ services }) {
      await services.timeline.idle()
      return ok({ ...showClock(services), ...showWaiting(services) })
    },
  }),
  route({
    method: 'POST',
    path: '/clock/advance',
    summary:
      'Runs every due step in order, each at its own instant; answers when the webhook attempts that it started are over',
    body: advanceBody,
    bodyOptional: true,
    waits: true,
    answers: { 200: 'Advanced' },
    refuses: ['bad_request'],
    async run({ services, body }) {
      const { now, ...counts } = await services.timeline.advance(goalOf(given(body)))
      return ok({ now: rfc3339(now), ...counts })
    },
  }),
]

function showClock({ timeline }: Services) {
  const { mode, speed } = timeline.clock()
  const due = timeline.nextDue()
  return { mode, now: rfc3339(timeline.now()), speed, next_due: due === undefined ? null : rfc3339(due) }
}

/** Steps that the response lists. */
const LISTED = 20

function showWaiting({ timeline }: Services) {
  const { count, first } = timeline.waiting(LISTED)
  const due = first.map(({ due, kind, object_id }) => ({ due: rfc3339(due), step: kind, object_id }))
  const [next] = due
  if (next === undefined) return { idle: true, waiting: 0, due }
  const [wait, them] = count === 1 ? ['1 step waits', 'it'] : [`${count} steps wait`, 'them']
  const message = `The clock is frozen, so ${wait}. The first is due at ${next.due}. POST /_psp/clock/advance {"until":"idle"} runs ${them}.`
  return { idle: false, waiting: count, due, message }
}

function goalOf(body: { [K in keyof z.output<typeof advanceBody>]?: unknown }): AdvanceRequest {
  if (Object.keys(body).length === 1) return body as AdvanceRequest
  throw refuse('bad_request', 'body: give exactly one of by ("20m"), to ("2026-05-06T12:00:00Z") and until ("idle").')
}
