// Exports and imports the whole state as one JSON document. It contains secrets in plain text, like the data directory.

import * as z from 'zod'
import { quoteText } from '../../domain/characters.ts'
import { type RefusalError, refuse } from '../../domain/errors.ts'
import { rfc3339, type WallTime } from '../../domain/time.ts'
import { countFormerDevelopmentSecrets, type ReadRows } from '../../engine/development-secrets.ts'
import { type ClockRow, type StateRow, TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import type { World } from '../../engine/world.ts'
import { EXPORT_FORMAT } from '../../store/import/envelopes.ts'
import type { StateSource } from '../../store/import/prepare-state.ts'
import type { StateTextError } from '../../store/import/state-text-error.ts'
import type { PreparedTablesState } from '../../store/memory/prepared-tables-state.ts'
import type { StateView } from '../../store/memory/state-view.ts'
import { type RowLines, stateText } from '../../store/snapshots/state-text.ts'
import { currentTime, initialClock } from '../../time/clock.ts'
import { armPrepared } from '../../time/sync-timers.ts'
import type { Services } from '../services.ts'
import { deterministicLines } from './deterministic-export.ts'
import { requireNoActiveDevelopmentCredentials } from './development-secrets.ts'
import { type ControlCall, type ControlResponse, ok, route } from './route.ts'
import { countRows } from './server-routes.ts'

const TABLES_PATTERN = `^(${TABLE_NAMES.join('|')})(,(${TABLE_NAMES.join('|')}))*$`

export const stateRoutes = [
  route({
    name: 'exportState',
    method: 'GET',
    path: '/export',
    summary: 'Export the state',
    description: 'Returns the whole state, secrets included.',
    query: z.strictObject({
      tables: z
        .string()
        .optional()
        .meta({ pattern: TABLES_PATTERN, description: 'Only these tables, separated by commas: `shops,endpoints`.' }),
    }),
    responses: { 200: 'State' },
    ownerOnly: true,
    async run({ services, query }) {
      const names = query.tables === undefined ? TABLE_NAMES : tableNames(query.tables)
      const { timeline, systemClock } = services
      const isDeterministic = services.hasRandomSeed && timeline.clock().mode === 'frozen'
      // Wait for deliveries in flight, so that the export does not depend on the speed of receivers.
      if (isDeterministic) await timeline.idle()
      const view = await writtenView(services)
      const at = isDeterministic ? timeline.now() : systemClock.now()
      const head = { ...exportHead(services, at), ...(query.tables !== undefined && { partial: true }) }
      // A partial export contains the clock as stored.
      const lines = query.tables === undefined ? linesOf(view, systemClock.now()) : view.lines
      const exported = isDeterministic ? deterministicLines(view, lines, at) : lines
      return { status: 200, chunks: stateText(head, tablesOf(names, exported)) }
    },
  }),
  route({
    name: 'importState',
    method: 'PUT',
    path: '/import',
    summary: 'Import a state',
    description:
      'Replaces the whole state in one step. Everything is checked before anything changes. The body may have up to 16 GiB.',
    replacesState: true,
    responses: { 200: 'Restored' },
    errors: ['not_allowed', 'payload_too_large'],
    run: (call) => replaceState(call, { kind: 'export', bytes: call.chunks() }),
  }),
]

function tableNames(names: string): readonly TableName[] {
  return names.split(',').map((name) => {
    const table = TABLE_NAMES.find((known) => known === name)
    if (table !== undefined) return table
    throw refuse(
      'bad_request',
      `tables: there is no table ${quoteText(name)}. The tables are ${TABLE_NAMES.join(', ')}.`,
    )
  })
}

/** Returns a view of written commits only. A view from `store.view()` may contain commits that will be undone. */
export async function writtenView({ store, engine }: Services): Promise<StateView> {
  for (;;) {
    const view = store.view()
    const isWritten =
      (await engine.written()?.then(
        () => true,
        () => false,
      )) ?? true
    if (isWritten) return view
  }
}

/** @param at system time, or sandbox time for a deterministic export */
export function exportHead({ version }: Services, at: number) {
  return { format: EXPORT_FORMAT, version, exported_at: rfc3339(at) }
}

function tablesOf(
  names: readonly TableName[],
  lines: (name: TableName) => RowLines,
): (readonly [TableName, RowLines])[] {
  return names.map((name) => [name, lines(name)])
}

/** Returns the rows of a view, with the clock advanced to `at`, so a restored state continues from that time. */
function linesOf(view: StateView, at: WallTime): (name: TableName) => RowLines {
  return (name) =>
    name === 'state' ? withClock([...view.rows('state')], at).map((row) => JSON.stringify(row)) : view.lines(name)
}

/**
 * Returns the rows with the clock advanced to `at`.
 * @param at the system time of the export or snapshot
 */
export function withClock(rows: readonly StateRow[], at: WallTime): StateRow[] {
  return [...rows.filter(({ id }) => id !== 'clock'), clockAt(rows, at)]
}

function clockAt(rows: readonly StateRow[], at: WallTime): ClockRow {
  const stored = storedClock(rows, at)
  return { ...stored, virtual: currentTime(stored, at), wall: at }
}

/** @param now the system time with which a real clock starts if the rows contain no clock */
function storedClock(rows: readonly StateRow[], now: WallTime): ClockRow {
  return rows.find((row): row is ClockRow => row.id === 'clock') ?? initialClock({ mode: 'real' }, now)
}

/**
 * Replaces the state. The current state is used until the new state is complete. The clock continues from the time in
 * the new state.
 * @param savedAt the system time at which the state was saved; absent: the clock in the state already shows the time of
 * the export
 */
export async function replaceState(
  { services, requireSameState }: Pick<ControlCall, 'services' | 'requireSameState'>,
  source: StateSource,
  savedAt?: WallTime,
): Promise<ControlResponse> {
  const { store, timeline, engine, systemClock, control, dryRun } = services
  const pause = () => new Promise<void>((resolve) => systemClock.nextTurn(resolve))
  try {
    return await store.replace(
      source,
      async (prepared) => {
        const rows = rowsOf(prepared)
        requireNoActiveDevelopmentCredentials(
          control,
          rows,
          'Import it into a server that only its own machine can reach.',
        )
        // A loopback host may keep public secrets.
        const former = control.loopback ? 0 : countFormerDevelopmentSecrets(rows)
        const timers = timeline.prepare()
        await armPrepared(timers, prepared, pause)
        requireSameState()
        const now = systemClock.now()
        const clock = savedAt === undefined ? storedClock(prepared.state, now) : clockAt(prepared.state, savedAt)
        engine.execute('import_state', { prepared, clock: { ...clock, wall: now } })
        timeline.adopt(timers)
        if (former > 0 && !dryRun) engine.execute('forget_development_secrets', {})
        await engine.written()
        return ok({
          status: 'ok',
          ...(former > 0 && { removed_former_secrets: former }),
          ...(dryRun && wouldReplace(engine.world, prepared)),
        })
      },
      services.closing,
    )
  } catch (error) {
    throw isStateTextError(error) ? importError(error, source) : error
  }
}

function rowsOf({ tables }: PreparedTablesState): ReadRows {
  return (table) => (tables.get(table)?.rows('oldest') ?? []) as ReturnType<ReadRows> as Iterable<never>
}

function wouldReplace(world: World, { state, tables }: PreparedTablesState) {
  const size = (name: TableName) => (name === 'state' ? state.length : (tables.get(name)?.size ?? 0))
  return { would_replace: countRows(world), would_import: countRows({ size }) }
}

/** Compares the name, not the class, because the module of the class is loaded only by the first import. */
export function isStateTextError(error: unknown): error is StateTextError {
  return error instanceof Error && error.name === 'StateTextError'
}

function importError(error: StateTextError, source: StateSource): RefusalError {
  if ('file' in source) return damagedSnapshotError(source.file, error)
  const { message, line, column } = error
  if (message.startsWith('expected a JSON object')) return refuse('bad_request', `body: ${message}.`)
  const place = column === undefined ? `line ${line}` : `line ${line}, column ${column}`
  return refuse('bad_request', `${error.isSyntax ? 'body: ' : ''}${message} (${place}). Nothing was changed.`)
}

export function damagedSnapshotError(file = 'the snapshot', { message, line, column }: StateTextError): RefusalError {
  const place = column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`
  return refuse('not_allowed', `${place}: ${message}. Nothing was changed. Repair the file, or delete the snapshot.`)
}
