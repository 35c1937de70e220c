// Named copies of the state that survive a reset.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { rfc3339, type WallTime } from '../../domain/time.ts'
import { assertReadable, snapshotPieces } from '../../store/snapshots/snapshot-pieces.ts'
import type { Snapshot, SnapshotInfo } from '../../store/snapshots/snapshots.ts'
import type { Services } from '../services.ts'
import { noContent, ok, route } from './route.ts'
import { damagedSnapshotError, exportHead, isStateTextError, replaceState, withClock, writtenView } from './state.ts'

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/
const params = { name: z.string().regex(NAME).meta({ description: 'Name of the snapshot.' }) }

export const snapshotRoutes = [
  route({
    name: 'listSnapshots',
    method: 'GET',
    path: '/snapshots',
    summary: 'List snapshots',
    description: 'Returns the snapshots, sorted by name.',
    responses: { 200: 'SnapshotPage' },
    run: ({ services }) => ok({ items: services.store.snapshots.list().map(showSnapshot), next_cursor: null }),
  }),
  route({
    name: 'saveSnapshot',
    method: 'PUT',
    path: '/snapshots/:name',
    params,
    summary: 'Save a snapshot',
    description: 'Saves the state under this name. An older snapshot with the same name is replaced.',
    survivesReset: true,
    responses: { 200: 'Snapshot' },
    async run({ services, param, requireSameState }) {
      const info = { name: nameOf(param('name')), saved_at: services.systemClock.now() }
      const view = await writtenView(services)
      requireSameState()
      await services.store.snapshots.save(info, view)
      return ok(showSnapshot(info))
    },
  }),
  route({
    name: 'getSnapshot',
    method: 'GET',
    path: '/snapshots/:name',
    params,
    summary: 'Get the state of a snapshot',
    description: 'Returns the state of a snapshot, in the format of an export.',
    responses: { 200: 'State' },
    ownerOnly: true,
    errors: ['not_allowed'],
    run: async ({ services, param }) => ({
      status: 200,
      chunks: await exported(services, requireSnapshot(services, param('name'))),
    }),
  }),
  route({
    name: 'deleteSnapshot',
    method: 'DELETE',
    path: '/snapshots/:name',
    params,
    summary: 'Delete a snapshot',
    description: 'Deletes a snapshot.',
    responses: { 204: 'nothing' },
    run({ services, param }) {
      const name = nameOf(param('name'))
      if (!services.store.snapshots.remove(name)) throw unknownSnapshotError(name)
      return noContent
    },
  }),
  route({
    name: 'restoreSnapshot',
    method: 'POST',
    path: '/snapshots/:name/restore',
    params,
    summary: 'Restore a snapshot',
    description:
      'Replaces the state with the snapshot, in one step. The clock continues from the time of the snapshot.',
    replacesState: true,
    responses: { 200: 'Restored' },
    errors: ['not_allowed'],
    run(call) {
      const { info, source } = requireSnapshot(call.services, call.param('name'))
      return replaceState(call, source(), info.saved_at as WallTime)
    },
  }),
]

function showSnapshot({ name, saved_at }: SnapshotInfo) {
  return { name, taken_at: rfc3339(saved_at) }
}

function requireSnapshot({ store }: Services, text: string): Snapshot {
  const name = nameOf(text)
  const found = store.snapshots.open(name)
  if (found === undefined) throw unknownSnapshotError(name)
  return found
}

/** Returns the snapshot as an export, with the clock at the time of the snapshot. */
async function exported(services: Services, { info, source }: Snapshot): Promise<AsyncIterable<Uint8Array>> {
  const first = source()
  try {
    // Damage must be found before the response begins.
    await assertReadable(first)
  } catch (error) {
    throw isStateTextError(error) ? damagedSnapshotError('file' in first ? first.file : undefined, error) : error
  }
  const at = info.saved_at as WallTime
  return snapshotPieces(source(), exportHead(services, at), (rows) => withClock(rows, at))
}

function unknownSnapshotError(name: string) {
  return refuse('not_found', `There is no snapshot ${name}.`)
}

function nameOf(name: string): string {
  if (NAME.test(name)) return name
  throw refuse(
    'bad_request',
    'name: expected 1 to 64 characters from a-z, 0-9, dot, dash and underscore, beginning with a letter or digit.',
  )
}
