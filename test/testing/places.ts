// Sandboxes as tests start them: in this process and over HTTP.
import { type StartOptions, startSandbox, type TestSandbox } from '../../src/testing/index.ts'

const open: TestSandbox[] = []

/** Called after each test. */
export async function closeAll(): Promise<void> {
  for (const sandbox of open.splice(0).reverse()) await sandbox.close()
}

export async function start(options?: StartOptions): Promise<TestSandbox> {
  const sandbox = await startSandbox(options)
  open.push(sandbox)
  return sandbox
}

export const FROZEN = 'frozen@2026-05-06T12:00:00Z'

/** Sandboxes in this process and over HTTP, which must behave the same. */
export const PLACES: readonly (readonly [string, () => Promise<TestSandbox>])[] = [
  ['in process', () => start({ clock: FROZEN })],
  ['over HTTP', async () => start({ url: (await start({ clock: FROZEN, receiver: false })).url })],
]
