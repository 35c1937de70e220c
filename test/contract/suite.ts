import { describe, test } from 'vitest'
import type { OpenAdapter } from './adapter.ts'
import type { ContractCase } from './case.ts'

/** Declares the tests: each case gets a adapter of its own. */
export function contractSuite(name: string, open: OpenAdapter, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { section, promise, run } of cases) {
      test(`${section}: ${promise}`, async () => {
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
