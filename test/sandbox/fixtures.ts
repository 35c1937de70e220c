// Sandboxes whose writes fail, and sandboxes whose state is replaced while work is in progress.
import { onTestFinished } from 'vitest'
import type { ReceiverRequest } from '../../src/receiver-client/transport.ts'
import { assembleSandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { type Adapter, createArrangement } from '../contract/adapter.ts'
import { diskError, memoryDisk } from '../store/memory-disk.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const FOLDER = '/home/.psp'
const BASE = 'http://127.0.0.1:7770'
const START = Date.UTC(2026, 4, 6, 12)

/** A text that the sandbox sent. */
export interface Sent {
  readonly by: 'webhook' | 'public stream' | 'control stream' | 'listener'
  readonly text: string
  /** The journal as a kill at that moment would leave it. With `durable`, as a power cut would. */
  readonly journalText: string
}

export async function openOnMemoryDisk(durable: boolean, options: SandboxOptions = {}) {
  const disk = memoryDisk()
  const sent: Sent[] = []
  const errors: unknown[] = []
  const notices: string[] = []
  let currentStatus: () => number | Promise<number> = () => 200
  const fs = {
    ...disk.port,
    /** A real sync takes many turns of the event loop. */
    async datasync(fd: number) {
      await turns()
      await disk.port.datasync(fd)
    },
  }

  function journalText(): string {
    const { port } = durable ? disk.afterPowerCut(() => 0) : disk
    const files = port.list(`${FOLDER}/journal`)
    return files.map((name) => Buffer.from(port.read(`${FOLDER}/journal/${name}`) ?? '').toString()).join('')
  }

  const record = (by: Sent['by'], text: string) => void sent.push({ by, text, journalText: journalText() })

  const sandbox = await assembleSandbox({
    folder: FOLDER,
    durable,
    systemClock: createSystemClock(),
    store: { fs },
    clock: { mode: 'frozen' },
    endpoints: ['http://127.0.0.1:9/hooks'],
    async transport({ body }: ReceiverRequest) {
      record('webhook', Buffer.from(body).toString())
      return { status: await currentStatus() }
    },
    notice: (text) => void notices.push(text),
    onInternalError: (error) => void errors.push(error),
    ...options,
  })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }).catch(() => {}))
  const fetch: Adapter['fetch'] = (path, init) => sandbox.fetch(new Request(`${BASE}${path}`, init))
  const adapter: Adapter = { fetch, ...createArrangement(sandbox), close: () => sandbox.close() }

  return {
    sandbox,
    adapter,
    disk,
    sent,
    notices,
    journalText,
    /** Sets the status with which receivers respond. */
    respondWith(next: typeof currentStatus) {
      currentStatus = next
    },
    /** Reads a stream until the sandbox closes. */
    async follow(by: Sent['by'], path: string) {
      const response = await fetch(path, { headers: { authorization: `Bearer ${adapter.shop.api_key}` } })
      void (async () => {
        for await (const part of response.body ?? []) record(by, Buffer.from(part).toString())
      })().catch(() => {})
    },
    /** Makes the `nth` write, or sync, and all later ones fail, until `allowWrites`. */
    failWrites(nth = 1) {
      let left = nth
      const wanted = durable ? 'datasync journal' : 'write journal'
      disk.before = (call) =>
        call.startsWith(wanted) && --left <= 0 ? { taken: 9, error: diskError(durable ? 'EIO' : 'ENOSPC') } : undefined
    },
    allowWrites() {
      disk.before = () => undefined
    },
    sentBy: (by: Sent['by'], text = '') => sent.filter((one) => one.by === by && one.text.includes(text)),
  }
}

export const REPLACEMENTS = ['reset', 'reset with all', 'restore', 'import'] as const
export type Replacement = (typeof REPLACEMENTS)[number]

/** A sandbox on a manual clock. A restore and an import replace its state by the one that `keep` stored. */
export async function openReplaceable(options: SandboxOptions = {}) {
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
  const adapter: Adapter = { fetch, ...createArrangement(sandbox), close: () => sandbox.close() }

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
    adapter,
    control,
    /** Stores the snapshot and the export for `replace`. */
    async keep() {
      await control('PUT', '/snapshots/before')
      state = (await control('GET', '/export')).body
    },
    /** Replaces the state. Returns the status of the response. */
    async replace(way: Replacement): Promise<number> {
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

/** Sends a request without the end of its body. `finish` sends the rest and returns the response. */
export async function sendFirstPart(
  adapter: Adapter,
  method: string,
  path: string,
  text: string,
  headers: Readonly<Record<string, string>> = {},
) {
  let close = () => {}
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 5)))
      close = () => {
        controller.enqueue(Buffer.from(text.slice(5)))
        controller.close()
      }
    },
  })
  const response = adapter.fetch(path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    duplex: 'half',
  } as RequestInit)
  await turns()
  return {
    async finish() {
      close()
      return await response
    },
  }
}

/** Waits for turns of the event loop. The default is more than any work needs that waits for nothing else. */
export async function turns(count = 8): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => setImmediate(resolve))
}
