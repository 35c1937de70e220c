import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import type { Adapter, OpenAdapter } from './adapter.ts'
import type { ContractCase } from './case.ts'

/** Declares the tests. Each case gets a new adapter, so no case sees what another one made. */
export function contractSuite(name: string, open: OpenAdapter, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { section, promise, run } of cases) {
      test(`spec ${section} requires that ${promise}`, async () => {
        const adapter = await open()
        try {
          await run(adapter)
        } finally {
          await adapter.close()
        }
      })
    }
  })
}

/** Declares the tests. All cases get the same adapter, which is reset after each case. */
export function sharedContractSuite(name: string, open: OpenAdapter, cases: readonly ContractCase[]): void {
  describe(name, () => {
    let adapter: Adapter
    beforeAll(async () => {
      adapter = await open()
    })
    afterEach(() => adapter.reset())
    afterAll(() => adapter.close())

    for (const { section, promise, run } of cases) {
      test(`spec ${section} requires that ${promise}`, () => run(adapter))
    }
  })
}
