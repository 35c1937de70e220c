// `psp-sandbox/vitest`: a shop for each test, on one sandbox for each worker.
import { test as base, type TestAPI } from 'vitest'
import { type StartOptions, startSandbox, type TestSandbox, type TestShop } from '../testing/index.ts'

/** The additional fields of a test's context. */
export interface SandboxFixtures {
  /** A shop for this test only. Other tests do not see its credentials, receiver, rules and events. */
  psp: TestShop
  /** The sandbox of the worker, whose clock its tests share. With `scope: 'test'`, the sandbox of this test. */
  sandbox: TestSandbox
}

/** The options of `startSandbox`, and the lifetime of a sandbox. */
export type SandboxTestOptions = StartOptions & {
  /**
   * `worker`: one sandbox for all tests of a worker, and one shop for each test. The tests share the clock, and ids
   * depend on which tests ran before. `test`: a new sandbox for each test, whose first shop is `psp`.
   * With `clock: 'frozen@…'` and `randomSeed`, times and ids are then the same whichever tests run. Default: `worker`.
   */
  readonly scope?: 'worker' | 'test' | undefined
}

/**
 * Returns a `test` whose context has `psp` and `sandbox`. With `url`, all workers share that server but see separate
 * shops.
 * @throws TypeError for `scope: 'test'` with `url`, because all tests share that server's clock and ids
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
    throw new TypeError("scope: 'test' starts a sandbox for each test; the server of url is shared. Omit one of them.")
  }
}

/** `sandboxTest()` with default options. */
export const test: TestAPI<SandboxFixtures> = sandboxTest()
