// `psp-sandbox/vitest`: a shop for each test, on one sandbox for each worker.
import { test as base, type TestAPI } from 'vitest'
import { type StartOptions, startSandbox, type TestSandbox, type TestShop } from '../testing/index.ts'

/** What the context of each test has besides its own. */
export interface SandboxFixtures {
  /** A shop of this test's own: credentials, receiver, rules and events that no other test sees. */
  psp: TestShop
  /** The sandbox of the worker, whose clock the tests of a file share; with `scope: 'test'` that of this test. */
  sandbox: TestSandbox
}

/** What `startSandbox` takes, and how long a sandbox lives. */
export type SandboxTestOptions = StartOptions & {
  /**
   * `worker`: one sandbox for all tests of a worker, each with a shop of its own: what one does to the clock the others
   * see, and ids depend on which tests ran before. `test`: a new sandbox for each test, whose first shop is `psp`: with
   * `clock: 'frozen@…'` and `randomSeed`, times and ids are the same whichever tests run. Default: `worker`.
   */
  readonly scope?: 'worker' | 'test' | undefined
}

/**
 * A `test` whose context has `psp` and `sandbox`. With `url` all workers share that server, and still never meet.
 * @throws TypeError for `scope: 'test'` with `url`: that server's clock and ids are shared by all
 * @example
 * export const test = sandboxTest({ clock: 'frozen' })
 * test('a paid order', async ({ psp }) => { … })
 */
export function sandboxTest({ scope = 'worker', ...options }: SandboxTestOptions = {}): TestAPI<SandboxFixtures> {
  checkScope(scope, options)
  return base.extend<SandboxFixtures>({
    sandbox: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
      async ({}, use) => {
        const sandbox = await startSandbox(options)
        await use(sandbox)
        await sandbox.close()
      },
      { scope },
    ],
    psp: async ({ sandbox }, use) => {
      await use(scope === 'test' ? sandbox : await sandbox.shops.create())
    },
  }) as unknown as TestAPI<SandboxFixtures>
}

function checkScope(scope: unknown, { url }: StartOptions): void {
  if (scope !== 'worker' && scope !== 'test') {
    throw new TypeError(`scope: expected worker or test, got ${JSON.stringify(scope)}.`)
  }
  if (scope === 'test' && url !== undefined) {
    throw new TypeError(
      "scope: 'test' starts a sandbox for each test; the server of url is shared. Leave one of them out.",
    )
  }
}

/** `sandboxTest()` with the defaults of `psp serve`. */
export const test: TestAPI<SandboxFixtures> = sandboxTest()
