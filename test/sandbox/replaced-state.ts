// The ways in which the state of a sandbox is replaced while requests, webhooks and streams are in progress.
import { onTestFinished } from 'vitest'
import type { SandboxOptions } from '../../src/sandbox.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { type Adapter, createArrangement } from '../contract/adapter.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const BASE = 'http://127.0.0.1:7770'
const START = Date.UTC(2026, 4, 6, 12)

export const WAYS = ['reset', 'reset with all', 'restore', 'import'] as const
export type Way = (typeof WAYS)[number]

/** A sandbox on a clock moved by hand. `before` is the state that a restore and an import bring back. */
export async function replaceable(options: SandboxOptions = {}) {
  const systemClock = manualSystemClock(START)
  const sandbox = await assembleSandbox({
    systemClock,
    clock: { mode: 'frozen', now: START as never },
    ...options,
  })
  onTestFinished(async () => {
    const closed = sandbox.close({ grace_ms: 0 })
    await systemClock.advance(60_000)
    await closed
  })
  const fetch: Adapter['fetch'] = (path, init) => sandbox.fetch(new Request(`${BASE}${path}`, init))
  const door: Adapter = { fetch, ...createArrangement(sandbox), close: () => sandbox.close() }

  async function control(method: string, path: string, body?: unknown) {
    const response = await fetch(`/_psp${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }

  let state: unknown
  return {
    sandbox,
    systemClock,
    door,
    control,
    /** Takes the snapshot and the export that `replace` brings back. */
    async keep() {
      await control('PUT', '/snapshots/before')
      state = (await control('GET', '/export')).body
    },
    /** Replaces the state, and gives the status of the response. */
    async replace(way: Way): Promise<number> {
      if (way === 'reset') return (await control('POST', '/reset')).status
      if (way === 'reset with all') return (await control('POST', '/reset', { all: true })).status
      if (way === 'restore') return (await control('POST', '/snapshots/before/restore')).status
      return (await control('PUT', '/import', state)).status
    },
    payments: () => [...sandbox.engine.world.rows('payments')],
    fault: (target: 'api' | 'webhook' | 'stream' | 'redirect', fault: string, more: object = {}) =>
      sandbox.engine.execute('add_fault', { target, fault, ...more }),
  }
}

/** A body of which the first part was sent; `finish` sends the rest. */
export function halfSentBody(text: string) {
  let finish = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 5)))
      finish = () => {
        controller.enqueue(Buffer.from(text.slice(5)))
        controller.close()
      }
    },
  })
  return { body, duplex: 'half' as const, finish: () => finish() }
}

export async function turns(count = 8): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => setImmediate(resolve))
}
