// Rows and commits for the store's tests; only what the store looks at is filled in.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Commit, Delete, Put } from '../../src/engine/commit.ts'
import { TABLE_NAMES, type TableName } from '../../src/engine/tables.ts'
import type { World } from '../../src/engine/world.ts'
import { openStore, type StoreOptions } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

export const AT = 1_700_000_000_000 as never

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'psp-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, '.psp')
}

export function commitOf(change: { clear?: TableName[]; deletes?: Delete[]; puts?: Put[] }): Commit {
  return { clear: [], deletes: [], puts: [], stream: [], reply: undefined, ...change }
}

export function put(table: TableName, row: { readonly id: string; readonly [field: string]: unknown }): Put {
  return { table, row } as unknown as Put
}

export function payment(n: number, more: object = {}) {
  return { id: `pay-${n}`, amount: n, order_id: `заказ ${n}`, metadata: { mode: 'test' }, ...more }
}

/** A whole row, as one that people edit must be; it refers to no other. */
export function merchant(n: number, more: object = {}) {
  return { id: `pay-${n}`, rate_limit: n, name: `заказ ${n}`, created_at: AT, live_enabled: false, ...more }
}

export function store(folder: string | undefined, more: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({ folder, wall: { now: () => AT }, notice() {}, ...more })
}

export function contents(world: World): { [table: string]: unknown[] } {
  const tables = TABLE_NAMES.map((name) => [name, JSON.parse(JSON.stringify([...world.rows(name)]))] as const)
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0))
}
