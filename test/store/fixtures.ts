// Rows, commits and data directories for the tests of the store. Rows have only the fields that the store reads.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Commit, Delete, Put } from '../../src/engine/commit.ts'
import { TABLE_NAMES, type TableName } from '../../src/engine/tables.ts'
import type { World } from '../../src/engine/world.ts'
import type { StateSource } from '../../src/store/import/prepare-state.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store, StoreOptions } from '../../src/store/store.ts'

export const AT = 1_700_000_000_000 as never

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'psp-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, '.psp')
}

export function commitOf(change: { clear?: TableName[]; deletes?: Delete[]; puts?: Put[] }): Commit {
  return { clear: [], deletes: [], puts: [], stream: [], result: undefined, ...change }
}

export function put(table: TableName, row: { readonly id: string; readonly [field: string]: unknown }): Put {
  return { table, row } as unknown as Put
}

export function payment(n: number, more: object = {}) {
  return { id: `pay-${n}`, amount: n, order_id: `заказ ${n}`, metadata: { mode: 'test' }, ...more }
}

/** A complete row that refers to no other row. Rows that are edited by hand must be complete. */
export function merchant(n: number, more: object = {}) {
  return { id: `pay-${n}`, rate_limit: n, name: `заказ ${n}`, created_at: AT, live_enabled: false, ...more }
}

/** A merchant and its shop. An import requires complete rows. */
export const OWNERS = [
  put('merchants', merchant(0, { id: 'mrc' })),
  put('shops', {
    id: 'shp',
    merchant_id: 'mrc',
    name: 'S',
    created_at: AT,
    signing_secret: 'thm_s',
    webhook_secret: 'whs_s',
    require_signature: false,
    ip_allow_list: [],
    payout_route: false,
    former_secrets: [],
  }),
]

/** A complete payment of this shop. */
export function wholePayment(n: number, more: object = {}) {
  return {
    id: `pay-${n}`,
    merchant_id: 'mrc',
    shop_id: 'shp',
    mode: 'test',
    order_id: `заказ ${n}`,
    amount: n + 1,
    amount_refunded: 0,
    amount_usdt: 0,
    currency: 'RUB',
    method: 'sbp',
    status: 'pending',
    created_at: AT,
    expires_at: AT,
    metadata: { note: `n${n}` },
    plan: { outcome: 'succeeded', decided_by: 'default' },
    ...more,
  }
}

/** Replaces the state of an open store. */
export function replaceState(opened: Store, source: StateSource, signal?: AbortSignal): Promise<void> {
  return opened.replace(
    source,
    async (prepared) => {
      const puts = prepared.state.map((row) => put('state', row))
      await opened.append(AT, 'import_state', { ...commitOf({ clear: [...TABLE_NAMES], puts }), prepared })
      await opened.flushed()
    },
    signal,
  )
}

/** Yields the text of an export in pieces. */
export async function* exportOf(tables: { readonly [table: string]: readonly object[] }, size = 1000) {
  const text = Buffer.from(JSON.stringify({ format: 'psp-sandbox/1', tables }))
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
}

export function store(folder: string | undefined, more: Partial<StoreOptions> = {}): Promise<Store> {
  return openStore({ folder, systemClock: { now: () => AT }, notice() {}, ...more })
}

export function contents(world: World): { [table: string]: unknown[] } {
  const tables = TABLE_NAMES.map((name) => [name, JSON.parse(JSON.stringify([...world.rows(name)]))] as const)
  return Object.fromEntries(tables.filter(([, rows]) => rows.length > 0))
}

/** Opens the directory, runs `use` and closes it. */
export async function inStore<T>(
  folder: string,
  use: (opened: Store) => T | Promise<T>,
  more: Partial<StoreOptions> = {},
): Promise<T> {
  const opened = await store(folder, more)
  const result = await use(opened)
  await opened.close()
  return result
}

/** Returns the error of an attempt to open the directory. */
export async function openingError(folder: string, more: Partial<StoreOptions> = {}) {
  return store(folder, more).then(
    () => expect.fail(`${folder} was opened`),
    (error) => error,
  )
}

/** Adds one commit for each merchant from `from` to before `end`. */
export function addMerchants(to: Store, from: number, end: number): void {
  for (let n = from; n < end; n++) to.append(AT, 'create', commitOf({ puts: [put('merchants', merchant(n))] }))
}

export const storeMerchants = (folder: string, from: number, end: number): Promise<void> =>
  inStore(folder, (opened) => addMerchants(opened, from, end))

export const readMerchants = (folder: string): Promise<{ readonly id: string }[]> =>
  inStore(folder, ({ world }) => [...world.rows('merchants')])

/** The lock of a process that does not exist. */
export const DEAD_LOCK = '{"pid":999999999,"started_at":1}'

/** Makes the directory look as if its process had been killed. */
export function markKilled(folder: string): void {
  writeFileSync(join(folder, 'lock'), DEAD_LOCK)
}

/** Returns the files without the lock, which a failed start replaces and removes. */
export function dataFilesOf(folder: string): { [path: string]: string } {
  const { lock: _, ...data } = filesOf(folder)
  return data
}

/** Returns the content of each file by its path. */
export function filesOf(folder: string): { [path: string]: string } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ name, parentPath }) => join(parentPath, name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

/** Returns the end of a journal line whose text has this CRC. */
export const formatLineEnd = (crc: number): string => `,"crc":${crc}}\n`
