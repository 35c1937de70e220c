// Events that were imported from a recording.
import * as z from 'zod'
import { isCleanJson } from '../../domain/clean-json.ts'
import { eventIdentityOf, IMPORTED_EVENT_ID, type ImportedEvent } from '../../domain/imported-event.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { rfc3339, type WallTime } from '../../domain/time.ts'
import { requireRow } from '../../engine/require-row.ts'
import { importedSignature } from '../value-schemas.ts'
import { flag, instant, text } from './fields.ts'
import { fieldsEqual, PAGE_QUERY, tablePage } from './pagination.ts'
import { created, noContent, ok, route } from './route.ts'

const ID_FORMAT = 'imp_ and 24 letters and digits'
const CLEAN = 'a body without secrets and card numbers'
const EVENT = 'the JSON of an event with id, event and data'

const importedEvent = z.strictObject({
  id: text(ID_FORMAT)
    .regex(IMPORTED_EVENT_ID, ID_FORMAT)
    .meta({ description: 'Derived from the content of the event. An event with a known id replaces the earlier one.' }),
  received_at: instant.meta({ description: 'The time in the recording.' }),
  source: text('a place in a file')
    .min(1, 'a place in a file')
    .max(300, 'at most 300 characters')
    .meta({ description: 'The file, and the line or entry in it.' }),
  signature: importedSignature.meta({
    description: 'The result of the signature check.',
  }),
  cause: text('a cause').max(60, 'at most 60 characters').optional().meta({
    description: 'Why the signature is invalid: a cause that `psp verify` names.',
  }),
  body: text(EVENT)
    .refine((body) => eventIdentityOf(body) !== undefined, EVENT)
    .refine(isCleanJson, CLEAN)
    .meta({ description: 'The bytes of the webhook as text.' }),
})

type Given = z.output<typeof importedEvent>

export const importedEventRoutes = [
  route({
    name: 'listImportedEvents',
    method: 'GET',
    path: '/imported-events',
    summary: 'List imported events',
    description: 'Returns the events that were imported from recordings, the newest import first.',
    query: z.strictObject({
      ...PAGE_QUERY,
      event_id: z.string().optional().meta({ description: 'Events with this id in the body.' }),
      object_id: z.string().optional().meta({ description: 'Events about this payment or payout.' }),
      order_id: z.string().optional().meta({ description: 'Events about this order.' }),
    }),
    responses: { 200: 'ImportedEventPage' },
    run: (call) => {
      const { limit, cursor, ...filters } = call.query
      return tablePage(call, 'imported_events', { limit, cursor }, fieldsEqual(filters), showImported)
    },
  }),
  route({
    name: 'importEvents',
    method: 'POST',
    path: '/imported-events',
    summary: 'Import events',
    description:
      'Stores events of a recording in one step, separately from the events of the sandbox. Nothing is delivered.',
    largeBody: true,
    body: z.strictObject({
      events: z.array(importedEvent, { error: 'a list of events' }).min(1, 'at least one event').meta({
        description: 'The events, in the order in which they were received.',
      }),
      replace: flag.optional().meta({ description: 'True: first removes the events of earlier imports.' }),
    }),
    responses: { 201: 'ImportResult' },
    run: ({ services, body: { events, replace } }) =>
      created(services.engine.execute('import_events', { events: events.map(toRow), ...omitUndefined({ replace }) })),
  }),
  route({
    name: 'deleteImportedEvents',
    method: 'DELETE',
    path: '/imported-events',
    summary: 'Delete all imported events',
    description: 'Removes all imported events.',
    responses: { 204: 'nothing' },
    run({ services }) {
      services.engine.execute('remove_imported_events', {})
      return noContent
    },
  }),
  route({
    name: 'getImportedEvent',
    method: 'GET',
    path: '/imported-events/:id',
    summary: 'Get an imported event',
    description: 'Returns an imported event with its body.',
    responses: { 200: 'ImportedEvent' },
    run: ({ world, param }) => ok(showImported(requireRow(world, 'imported_events', param('id')))),
  }),
]

function toRow({ received_at, cause, ...event }: Given): Omit<ImportedEvent, 'created_at'> {
  const identity = eventIdentityOf(event.body)
  if (identity === undefined) throw new Error('The schema accepted a body that is not an event.')
  return { ...event, ...identity, ...omitUndefined({ cause }), received_at: received_at as number as WallTime }
}

function showImported({ created_at, received_at, ...event }: ImportedEvent) {
  const { object_id, order_id, cause } = event
  return {
    ...event,
    object_id: object_id ?? null,
    order_id: order_id ?? null,
    cause: cause ?? null,
    received_at: rfc3339(received_at),
    imported_at: rfc3339(created_at),
  }
}
