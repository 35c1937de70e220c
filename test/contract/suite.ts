import { describe, test } from 'vitest'
import type { ContractCase } from './case.ts'
import type { OpenDoor } from './door.ts'

/** Declares the tests: each case gets a door of its own. */
export function contractSuite(name: string, open: OpenDoor, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { section, name: promise, run } of cases) {
      test(`${section}: ${promise}`, async () => {
        const door = await open()
        try {
          await run(door)
        } finally {
          await door.close()
        }
      })
    }
  })
}
