// Reset, snapshots, export and import: each one commit.
import * as z from 'zod'
import { type Refusal, refuse } from '../../domain/errors.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { SnapshotInfo } from '../../store/snapshots.ts'
import type { Services } from '../services.ts'
import { changed, gone, ok, route } from './route.ts'
import { checkTables } from './state-check.ts'

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Marks an export, so that another file is not taken for one. */
export const EXPORT_FORMAT = 'psp-sandbox/1'

export const store = [
  route({
    method: 'POST',
    path: '/reset',
    summary: 'Clears what the simulator made; with all, back to the start. Snapshots stay',
    body: z.object({ all: z.boolean({ error: 'true or false' }).optional() }),
    bodyOptional: true,
    run({ services, body }) {
      services.engine.execute('reset', body.all === true ? { all: { shop: services.startShop } } : {})
      return changed(services, ok({ status: 'ok' }))
    },
  }),
  route({
    method: 'GET',
    path: '/snapshots',
    summary: 'The snapshots, by name',
    run: ({ services }) => ok({ items: services.store.snapshots.list().map(showInfo), next_cursor: null }),
  }),
  route({
    method: 'PUT',
    path: '/snapshots/:name',
    summary: 'Takes a snapshot, replacing one of this name',
    refuses: ['bad_request'],
    run: ({ services, param }) => ok(showInfo(services.store.snapshots.save(nameOf(param('name'))))),
  }),
  route({
    method: 'GET',
    path: '/snapshots/:name',
    summary: 'The state a snapshot holds, as an export',
    refuses: ['not_found', 'bad_request'],
    run: ({ services, param }) => ok({ format: EXPORT_FORMAT, tables: loaded(services, param('name')) }),
  }),
  route({
    method: 'DELETE',
    path: '/snapshots/:name',
    summary: 'Forgets a snapshot',
    refuses: ['not_found', 'bad_request'],
    run({ services, param }) {
      const name = nameOf(param('name'))
      if (!services.store.snapshots.remove(name)) throw unknown(name)
      return gone
    },
  }),
  route({
    method: 'POST',
    path: '/snapshots/:name/restore',
    summary: 'Goes back to a snapshot, clock included',
    refuses: ['not_found', 'bad_request'],
    run({ services, param }) {
      services.engine.execute('import_state', { tables: loaded(services, param('name')) })
      return changed(services, ok({ status: 'ok' }))
    },
  }),
  route({
    method: 'GET',
    path: '/export',
    summary: 'The whole state as JSON',
    run: ({ services }) => ok({ format: EXPORT_FORMAT, tables: services.store.exportAll() }),
  }),
  route({
    method: 'PUT',
    path: '/import',
    summary: 'Replaces the whole state; everything is checked before anything changes',
    body: z.object({
      format: z.literal(EXPORT_FORMAT, { error: `${EXPORT_FORMAT}, as \`psp store export\` writes it` }),
      tables: z.record(z.string(), z.unknown(), { error: 'an object of tables' }),
    }),
    bulk: true,
    refuses: ['bad_request'],
    run({ services, body }) {
      services.engine.execute('import_state', { tables: checkTables(body.tables) })
      return changed(services, ok({ status: 'ok' }))
    },
  }),
]

function loaded({ store }: Services, name: string) {
  const tables = store.snapshots.load(nameOf(name))
  if (tables === undefined) throw unknown(name)
  return tables
}

function unknown(name: string): Refusal {
  return refuse('not_found', `There is no snapshot ${name}. GET /_psp/snapshots lists them.`)
}

function showInfo({ name, saved_at }: SnapshotInfo) {
  return { name, created_at: rfc3339(saved_at) }
}

function nameOf(name: string): string {
  if (NAME.test(name)) return name
  throw refuse('bad_request', 'name: expected 1 to 64 of a-z, 0-9, dot, dash and underscore, a letter or digit first.')
}
