import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SandboxTime } from '../../src/domain/time.ts'
import type { openStore as OpenStore } from '../../src/store/open-store.ts'

interface BuildStore {
  buildStore(): Promise<{ readonly path: string; remove(): void }>
}
interface StoreRows {
  payment(n: number): object
  commit(rows: readonly (readonly [string, object])[]): Parameters<Awaited<ReturnType<typeof OpenStore>>['append']>[2]
}

const load = async <T>(path: string) => (await import(new URL(path, import.meta.url).href)) as T

test('the bundled store of the measurements stores rows and runs its checkpoint thread', async () => {
  const { buildStore } = await load<BuildStore>('../../bench/build-store.mjs')
  const { payment, commit } = await load<StoreRows>('../../bench/store-rows.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'psp-build-store-'))
  const built = await buildStore()
  onTestFinished(() => {
    built.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  const { openStore, StoreLockedError } = await load<{ openStore: typeof OpenStore; StoreLockedError: unknown }>(
    built.path,
  )
  const store = await openStore({ folder, systemClock: { now: () => 0 }, notice: () => {} })
  await store.append(0 as SandboxTime, 'fill', commit([['payments', payment(1)]]))
  await store.checkpoint()
  expect(store.world.size('payments')).toBe(1)
  expect(
    readdirSync(folder, { recursive: true })
      .map(String)
      .some((name) => name.includes('payments')),
  ).toBe(true)
  await store.close()
  expect(StoreLockedError).toBeTypeOf('function')
})
