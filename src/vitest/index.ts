// `psp-sandbox/vitest`: a shop for each test, on one sandbox for each worker.
import { test as base, type TestAPI } from 'vitest'
import { type StartOptions, startSandbox, type TestSandbox, type TestShop } from '../testing/index.ts'

/** What the context of each test has besides its own. */
export interface SandboxFixtures {
  /** A shop of this test's own: credentials, receiver, rules and events that no other test sees. */
  psp: TestShop
  /** The sandbox of the worker. Its clock is shared by the tests of a file. */
  sandbox: TestSandbox
}

/**
 * A `test` whose context has `psp` and `sandbox`. With `url` all workers share that server, and still never meet.
 * @example
 * export const test = sandboxTest({ clock: 'frozen' })
 * test('a paid order', async ({ psp }) => { … })
 */
export function sandboxTest(options: StartOptions = {}): TestAPI<SandboxFixtures> {
  return base.extend<SandboxFixtures>({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
      async ({}, use) => {
        const sandbox = await startSandbox(options)
        await use(sandbox)
        await sandbox.close()
      },
      { scope: 'worker' },
    ],
    psp: async ({ sandbox }, use) => {
      await use(await sandbox.shops.create())
    },
  }) as unknown as TestAPI<SandboxFixtures>
}

/** `sandboxTest()` with the defaults of `psp serve`. */
export const test: TestAPI<SandboxFixtures> = sandboxTest()
