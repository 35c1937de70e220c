import { describe, test } from 'vitest'
import type { OpenAdapter } from './adapter.ts'
import type { ContractCase } from './case.ts'

/** Declares the tests. Each case gets a new adapter. */
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
