// A world of plain maps, a manual clock and seeded randomness: the engine without store, time or transport.
import type { StreamMessage, WebhookEvent } from '../../src/domain/events.ts'
import type { SandboxTime } from '../../src/domain/time.ts'
import type { CommandName, CommandResult, Input } from '../../src/engine/command.ts'
import type { Commit } from '../../src/engine/commit.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { paymentTimer } from '../../src/engine/payment-timer.ts'
import type { CommitLog } from '../../src/engine/ports.ts'
import type { TableName, Tables, Timer } from '../../src/engine/tables.ts'
import type { World } from '../../src/engine/world.ts'
import { seededRandomness } from '../../src/random.ts'
import { readSettings, type Settings, type SettingValues } from '../../src/settings.ts'

export const START = Date.UTC(2026, 4, 6, 12) as SandboxTime

const DEFAULTS: SettingValues = {}

type Rows = Map<string, { id: string } & Record<string, unknown>>

export function memoryLog(): CommitLog & { commits: Commit[]; failing: boolean } {
  const tables = new Map<TableName, Rows>()
  const rowsOf = (table: TableName): Rows => {
    const rows = tables.get(table) ?? (new Map() as Rows)
    tables.set(table, rows)
    return rows
  }
  let read: { readonly values: SettingValues; readonly settings: Settings } | undefined
  const world = {
    get settings() {
      const values = (rowsOf('state').get('settings')?.['values'] as SettingValues | undefined) ?? DEFAULTS
      if (read?.values !== values) read = { values, settings: readSettings(values) }
      return read.settings
    },
    get: (table: TableName, id: string) => rowsOf(table).get(id),
    find: (table: TableName, index: string, key: string) => {
      const field = index === 'by_hash' ? 'hash' : `${index.slice(3)}_id`
      return [...rowsOf(table).values()].filter((row) => row[field] === key)
    },
    rows: (table: TableName, order = 'oldest') => {
      const all = [...rowsOf(table).values()]
      return order === 'newest' ? all.reverse() : all
    },
    rowsAfter: (table: TableName, id: string | undefined) => {
      const all = [...rowsOf(table).values()]
      return all.slice(all.findIndex((row) => row['id'] === id) + 1)
    },
    rowsBefore: (table: TableName, id: string) => {
      const all = [...rowsOf(table).values()].reverse()
      return all.slice(all.findIndex((row) => row['id'] === id) + 1)
    },
    rowsWith: (table: TableName, field: string, values: readonly string[]) =>
      [...rowsOf(table).values()].filter((row) => values.includes(String(row[field]))),
    size: (table: TableName) => rowsOf(table).size,
    retentionCursor: {},
  } as unknown as World
  const log = {
    world,
    lastLine: 0,
    failing: false,
    commits: [] as Commit[],
    append(_at: SandboxTime, _command: string, commit: Commit) {
      if (log.failing) throw new Error('disk full')
      log.lastLine++
      log.commits.push(commit)
      if (commit.retention_cursor !== undefined) Object.assign(world, { retentionCursor: commit.retention_cursor })
      for (const table of commit.clear) rowsOf(table).clear()
      for (const { table, id } of commit.deletes) rowsOf(table).delete(id)
      for (const { table, row } of commit.puts) rowsOf(table).set(row.id, row as never)
    },
  }
  return log
}

export function startWorld(seed: number | string = 1) {
  const log = memoryLog()
  let now = START
  const engine = createEngine(log, seededRandomness(seed), () => now)
  const stream: StreamMessage[] = []
  engine.onCommit((commit) => stream.push(...commit.stream))
  const { shop, merchant } = engine.execute('create_shop', { name: 'Tea house' })
  const caller = { shop_id: shop.id, mode: 'test' as const }
  /** All that waits: rows, and what payments are about to do. */
  const timers = (): Timer[] => [
    ...log.world.rows('timers'),
    ...[...log.world.rows('payments')].flatMap((payment) => paymentTimer(payment) ?? []),
  ]
  const run = <N extends CommandName>(name: N, input: Input<N>): CommandResult<N> => engine.execute(name, input)

  return {
    engine,
    log,
    shop,
    merchant,
    caller,
    stream,
    run,
    get now() {
      return now
    },
    /** Moves the clock only. */
    at(ms: number) {
      now = (now + ms) as SandboxTime
    },
    create(input: Partial<Input<'create_payment'>['input']> = {}, more: Partial<Input<'create_payment'>> = {}) {
      const full = { amount: 100, currency: 'RUB', method: 'sbp', metadata: {}, ...input } as const
      return run('create_payment', { caller, input: full, ...more })
    },
    payment: (id: string) => log.world.get('payments', id) as Tables['payments'],
    events: () => [...log.world.rows('events')] as WebhookEvent[],
    timers,
    /** Runs what is due up to `ms` from now, each step at its own instant; webhook attempts are left waiting. */
    advance(ms: number) {
      const end = (now + ms) as SandboxTime
      for (;;) {
        const due = timers()
          .filter((timer) => timer.kind !== 'deliver' && timer.due <= end)
          .sort((a, b) => a.due - b.due || a.seq - b.seq)[0]
        if (due === undefined) break
        now = Math.max(now, due.due) as SandboxTime
        run('run_timer', { timer: due })
      }
      now = end
    },
  }
}
