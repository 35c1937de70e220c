// The response of `GET /_psp/health` as a schema.
import * as z from 'zod'
import * as values from '../enum-schemas.ts'
import * as controlSchemas from './object-schemas.ts'

const { described } = controlSchemas
const { text, time } = controlSchemas.fields
export const clockMode = described(values.clockMode, 'The mode of the sandbox clock.')
export const clockTime = time('The time of the sandbox clock.')

export const health = z
  .strictObject({
    status: described(
      z.enum(['ok', 'failing']),
      '`ok`: the server is ready. `failing`: changes cannot be stored, and the HTTP status is 503.',
    ),
    store: described(
      z.enum(['ok', 'refuses_changes']),
      '`refuses_changes`: changes are rejected with 503, and reads still work.',
    ),
    reason: described(
      z.string().optional(),
      'Why the server is failing, and what to do. Present only if `status` is `failing`.',
    ),
    version: text('The version of psp.'),
    command: text('How psp was started, for commands to copy: `psp` or `npx psp`.'),
    api_version: text('The version of the public API, a date.'),
    now: clockTime,
    clock: clockMode,
    clock_ahead_ms: described(
      z.number().optional(),
      'How many ms the sandbox clock is ahead because the system clock was set back since the start.',
    ),
    last_event_id: text(
      'The id of the newest message of GET /_psp/stream. Later responses show this state or a newer one.',
    ),
    event_streams: described(controlSchemas.eventStreamCounts, 'The counts of GET /v1/public/events.'),
    access: described(
      z.enum(['full', 'view']).optional(),
      '`view`: the caller sent the view token, which only permits reading.',
    ),
    pid: described(
      z.int().optional(),
      'The process id of the server. Present only if the server listens on a loopback host.',
    ),
    data: described(
      z.string().nullable().optional(),
      'The data directory of the server. null: the data is only in memory.',
    ),
  })
  // A caller without the token gets the status alone.
  .partial({
    store: true,
    version: true,
    command: true,
    api_version: true,
    now: true,
    clock: true,
    last_event_id: true,
    event_streams: true,
  })
