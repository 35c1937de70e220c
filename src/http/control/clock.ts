import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { parseDuration, parseInstant, rfc3339, type SandboxTime } from '../../domain/time.ts'
import type { ClockRequest } from '../../time/clock.ts'
import type { AdvanceRequest } from '../../time/timeline-contract.ts'
import type { Services } from '../services.ts'
import { ok, oneOf, route, text } from './route.ts'

const INSTANT = 'a time such as 2026-05-06T12:00:00Z'
const DURATION = 'a duration such as 20m, 2h or 1h30m'

const instant = text(INSTANT).transform((value, ctx) => {
  const ms = parseInstant(value)
  if (ms !== undefined) return ms as SandboxTime
  ctx.addIssue({ code: 'custom', message: INSTANT })
  return z.NEVER
})

const duration = text(DURATION).transform((value, ctx) => {
  const ms = parseDuration(value)
  if (ms !== undefined) return ms
  ctx.addIssue({ code: 'custom', message: DURATION })
  return z.NEVER
})

export const clock = [
  route({
    method: 'GET',
    path: '/clock',
    summary: 'The clock: mode, time, speed and when the next step is due',
    run: ({ services }) => ok(showClock(services)),
  }),
  route({
    method: 'POST',
    path: '/clock',
    summary: 'Sets the mode of the clock; time never goes back',
    body: z.object({
      mode: oneOf('real', 'frozen', 'scaled'),
      now: instant.optional(),
      speed: z.number({ error: 'a number above 0' }).optional(),
    }),
    refuses: ['bad_request'],
    async run({ services, body }) {
      await services.timeline.setMode(modeOf(body))
      return ok(showClock(services))
    },
  }),
  route({
    method: 'POST',
    path: '/clock/advance',
    summary: 'Runs every due step in order, each at its own instant, webhook attempts included',
    body: z.object({ by: duration.optional(), to: instant.optional(), until: oneOf('idle').optional() }),
    bodyOptional: true,
    refuses: ['bad_request'],
    async run({ services, body }) {
      const { now, steps, deliveries } = await services.timeline.advance(goalOf(body))
      return ok({ now: rfc3339(now), steps, deliveries })
    },
  }),
]

function showClock({ timeline }: Services) {
  const { mode, speed } = timeline.clock()
  const due = timeline.nextDue()
  return { mode, now: rfc3339(timeline.now()), speed, next_due: due === undefined ? null : rfc3339(due) }
}

function modeOf(body: { mode: ClockRequest['mode']; now?: SandboxTime | undefined; speed?: number | undefined }) {
  if (body.mode === 'scaled') {
    if (body.speed === undefined) throw refuse('bad_request', 'speed: required for mode scaled, such as 60.')
    return { mode: body.mode, speed: body.speed } as const
  }
  if (body.mode === 'frozen') return { mode: body.mode, ...(body.now === undefined ? {} : { now: body.now }) } as const
  return { mode: body.mode } as const
}

function goalOf(body: {
  by?: number | undefined
  to?: SandboxTime | undefined
  until?: 'idle' | undefined
}): AdvanceRequest {
  const given = Object.values(body).filter((value) => value !== undefined)
  if (given.length !== 1) {
    throw refuse('bad_request', 'body: give one of by ("20m"), to (a time) or until ("idle").')
  }
  if (body.by !== undefined) return { by: body.by }
  if (body.to !== undefined) return { to: body.to }
  return { until: 'idle' }
}
