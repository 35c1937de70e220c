// Rows and commits for the store's tests; only what the store looks at is filled in.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Commit, Delete, Put } from '../../src/engine/commit.ts'
import { TABLE_NAMES, type TableName } from '../../src/engine/tables.ts'
import type { World } from '../../src/engine/world.ts'
import type { StateSource } from '../../src/store/import/prepare-state.ts'
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

/** Rows of a merchant and its shop, as an import wants them. */
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

/** A payment of this shop, whole. */
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

/** The state of a source takes the place of the one that is open. */
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

/** The text of an export, in pieces. */
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
