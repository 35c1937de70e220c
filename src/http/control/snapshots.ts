// Named states that outlive a reset.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { rfc3339, type WallTime } from '../../domain/time.ts'
import type { SnapshotInfo, StoredTables } from '../../store/snapshots/snapshots.ts'
import type { Services } from '../services.ts'
import { checkTables } from './check-tables.ts'
import { stateText } from './pieces.ts'
import { gone, ok, route } from './route.ts'
import { exportHead, replaceState, withClock } from './state.ts'

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
const params = { name: z.string().regex(NAME).meta({ description: 'Name of the snapshot.' }) }

export const snapshots = [
  route({
    name: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    summary: 'List snapshots',
    description: 'Returns the snapshots by name.',
    answers: { 200: 'SnapshotPage' },
    run: ({ services }) => ok({ items: services.store.snapshots.list().map(showSnapshot), next_cursor: null }),
  }),
  route({
    name: 'saveSnapshot',
    method: 'PUT',
    path: '/snapshots/:name',
    params,
    summary: 'Save a snapshot',
    description: 'Saves the state under this name, and replaces an older snapshot of the name.',
    answers: { 200: 'Snapshot' },
    refuses: ['bad_request'],
    async run({ services, param, requireOwnState }) {
      const name = nameOf(param('name'))
      // It outlives what the disk may still refuse.
      await services.engine.written()
      requireOwnState()
      return ok(showSnapshot(services.store.snapshots.save(name)))
    },
  }),
  route({
    name: 'getSnapshot',
    method: 'GET',
    path: '/snapshots/:name',
    params,
    summary: 'Get the state of a snapshot',
    description: 'Returns the state of a snapshot, in the format of an export.',
    answers: { 200: 'State' },
    refuses: ['bad_request', 'not_found', 'not_allowed'],
    run({ services, param }) {
      const { info, tables } = load(services, param('name'))
      return { status: 200, pieces: stateText(exportHead(services, info.saved_at), tables) }
    },
  }),
  route({
    name: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/:name',
    params,
    summary: 'Delete a snapshot',
    description: 'Deletes a snapshot.',
    answers: { 204: 'nothing' },
    refuses: ['bad_request', 'not_found'],
    run({ services, param }) {
      const name = nameOf(param('name'))
      if (!services.store.snapshots.remove(name)) throw unknown(name)
      return gone
    },
  }),
  route({
    name: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/:name/restore',
    params,
    summary: 'Restore a snapshot',
    description: 'Replaces the state by the snapshot, in one step. The clock continues from the time of the snapshot.',
    replaces: true,
    answers: { 200: 'Restored' },
    refuses: ['bad_request', 'not_found', 'not_allowed'],
    run: ({ services, param }) => replaceState(services, checkTables(load(services, param('name')).tables)),
  }),
]

function showSnapshot({ name, saved_at }: SnapshotInfo) {
  return { name, taken_at: rfc3339(saved_at) }
}

/** The state, with the clock as it stood when the snapshot was taken. */
function load(services: Services, text: string): { info: SnapshotInfo; tables: StoredTables } {
  const name = nameOf(text)
  // The rows first: of a file that is damaged it is told.
  const tables = loadTables(services, name)
  const info = infoOf(services, name)
  if (tables === undefined || info === undefined) throw unknown(name)
  return { info, tables: withClock(tables, info.saved_at as WallTime) }
}

function loadTables({ store }: Services, name: string): StoredTables | undefined {
  try {
    return store.snapshots.load(name)
  } catch (error) {
    // By name: this layer need not load the store for it. The message names file and line.
    if (error instanceof Error && error.name === 'StoreDamaged') throw refuse('not_allowed', error.message)
    throw error
  }
}

function infoOf({ store }: Services, name: string): SnapshotInfo | undefined {
  return store.snapshots.list().find((known) => known.name === name)
}

function unknown(name: string) {
  return refuse('not_found', `There is no snapshot ${name}.`)
}

function nameOf(name: string): string {
  if (NAME.test(name)) return name
  throw refuse('bad_request', 'name: expected 1 to 64 of a-z, 0-9, dot, dash and underscore, first a letter or digit.')
}
