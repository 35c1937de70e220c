// The whole state as one JSON document, out and in. It holds secrets in clear, as the data folder does.
import * as z from 'zod'
import { refuse } from '../../domain/errors.ts'
import { rfc3339, type WallTime } from '../../domain/time.ts'
import { TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import type { StoredTables } from '../../store/snapshots/snapshots.ts'
import { type ClockRow, firstClock, shown } from '../../time/clock.ts'
import type { Services } from '../services.ts'
import { type CheckedTables, checkTables } from './check-tables.ts'
import { anyObject } from './fields.ts'
import { stateText } from './pieces.ts'
import { repeatable } from './repeatable.ts'
import { type ControlAnswer, ok, route } from './route.ts'

/** Marks an export, so that another file is not taken for one. */
export const FORMAT = 'psp-sandbox/1'

const TABLES_PATTERN = `^(${TABLE_NAMES.join('|')})(,(${TABLE_NAMES.join('|')}))*$`

export const state = [
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
        .meta({ pattern: TABLES_PATTERN, description: 'Only these tables, with commas: `shops,endpoints`.' }),
    }),
    answers: { 200: 'State' },
    refuses: ['bad_request'],
    async run({ services, query }) {
      const { timeline, wall, store, engine } = services
      if (services.repeatable && timeline.clock().mode === 'frozen') {
        // What is on its way has arrived then, whatever its pace.
        await timeline.idle()
        const at = timeline.now()
        const tables = repeatable(withClock(store.exportAll(), wall.now()), at)
        return answer(
          exportHead(services, at),
          query.tables,
          (name) => tables[name],
          () => tables,
        )
      }
      const now = wall.now()
      const rows = (name: TableName) => [...engine.world.rows(name)]
      return answer(exportHead(services, now), query.tables, rows, () => withClock(store.exportAll(), now))
    },
  }),
  route({
    name: 'importState',
    method: 'PUT',
    path: '/import',
    summary: 'Import a state',
    description: 'Replaces the whole state in one step. Everything is checked before anything changes.',
    body: z.object({
      format: z
        .literal(FORMAT, { error: `${FORMAT}, as GET /_psp/export of this version writes it` })
        .meta({ description: 'Names the form of this document.' }),
      // A part in the place of the whole would wipe out the rest.
      partial: z
        .never({ error: 'a whole export, without ?tables=' })
        .optional()
        .meta({ description: 'A part is refused.' }),
      tables: anyObject('an object of tables').meta({ description: 'As the export has them.' }),
    }),
    bulk: true,
    replaces: true,
    answers: { 200: 'Restored' },
    refuses: ['bad_request'],
    run: ({ services, body }) => replaceState(services, checkTables(body.tables)),
  }),
]

/** @param names of the tables that are wanted; absent: all */
function answer(
  head: ReturnType<typeof exportHead>,
  names: string | undefined,
  rows: (name: TableName) => readonly unknown[],
  all: () => StoredTables,
): ControlAnswer {
  if (names === undefined) return { status: 200, pieces: stateText(head, all()) }
  const chosen = Object.fromEntries(tableNames(names).map((name) => [name, rows(name)]))
  return { status: 200, pieces: stateText({ ...head, partial: true }, chosen) }
}

function tableNames(names: string): readonly TableName[] {
  return names.split(',').map((name) => {
    const table = TABLE_NAMES.find((known) => known === name)
    if (table !== undefined) return table
    throw refuse(
      'bad_request',
      `tables: there is no ${JSON.stringify(name.slice(0, 60))}. Tables are ${TABLE_NAMES.join(', ')}.`,
    )
  })
}

/** @param at on the machine's clock, or on the sandbox's where it is repeatable */
export function exportHead({ version }: Services, at: number) {
  return { format: FORMAT, version, exported_at: rfc3339(at) }
}

/** The tables with the clock as it stood at `at`, from where a restored state goes on. */
export function withClock(tables: StoredTables, at: WallTime): StoredTables {
  const others = tables.state.filter(({ id }) => id !== 'clock')
  const stored = tables.state.find((row): row is ClockRow => row.id === 'clock') ?? firstClock({ mode: 'real' }, at)
  return { ...tables, state: [...others, { ...stored, virtual: shown(stored, at), wall: at }] }
}

/** Puts a checked state in the place of the present one. Time goes on from the instant the state is of. */
export function replaceState(services: Services, tables: CheckedTables): ControlAnswer {
  const wall = services.wall.now()
  const others = (tables.state ?? []).filter(({ id }) => id !== 'clock')
  const clock = tables.state?.find((row): row is ClockRow => row.id === 'clock') ?? firstClock({ mode: 'real' }, wall)
  services.engine.execute('import_state', { tables: { ...tables, state: [...others, { ...clock, wall }] } })
  return ok({ status: 'ok' })
}
