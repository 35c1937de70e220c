// A sandbox on a disk in memory that knows, at each moment, what a crash would leave of it; and everything that leaves.
import { onTestFinished } from 'vitest'
import type { ReceiverRequest } from '../../src/receiver-client/transport.ts'
import { assembleSandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { type Adapter, createArrangement } from '../contract/adapter.ts'
import { diskError, memoryDisk } from '../store/memory-disk.ts'

const FOLDER = '/home/.psp'
const BASE = 'http://127.0.0.1:7770'

/** Something left the sandbox. */
export interface Told {
  readonly by: 'webhook' | 'public stream' | 'control stream' | 'listener'
  readonly text: string
  /** What was safe at that moment: the journal as a kill leaves it; with `durable`, as a power cut does. */
  readonly safe: string
}

export async function openWritten(durable: boolean, options: SandboxOptions = {}) {
  const disk = memoryDisk()
  const told: Told[] = []
  const faults: unknown[] = []
  const notices: string[] = []
  let answer: () => number | Promise<number> = () => 200
  const fs = {
    ...disk.port,
    /** A real one takes many turns of the event loop. */
    async datasync(fd: number) {
      await turns()
      await disk.port.datasync(fd)
    },
  }

  function safe(): string {
    const { port } = durable ? disk.unplugged(() => 0) : disk
    const files = port.list(`${FOLDER}/journal`)
    return files.map((name) => Buffer.from(port.read(`${FOLDER}/journal/${name}`) ?? '').toString()).join('')
  }

  const tell = (by: Told['by'], text: string) => void told.push({ by, text, safe: safe() })

  const sandbox = await assembleSandbox({
    folder: FOLDER,
    durable,
    systemClock: createSystemClock(),
    store: { fs },
    clock: { mode: 'frozen' },
    endpoints: ['http://127.0.0.1:9/hooks'],
    async transport({ body }: ReceiverRequest) {
      tell('webhook', Buffer.from(body).toString())
      return { status: await answer() }
    },
    notice: (text) => void notices.push(text),
    onInternalError: (error) => void faults.push(error),
    ...options,
  })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }).catch(() => {}))
  const fetch: Adapter['fetch'] = (path, init) => sandbox.fetch(new Request(`${BASE}${path}`, init))
  const door: Adapter = { fetch, ...createArrangement(sandbox), close: () => sandbox.close() }

  return {
    sandbox,
    door,
    disk,
    told,
    notices,
    safe,
    /** What receivers answer from now on. */
    answers(next: typeof answer) {
      answer = next
    },
    /** Reads a stream until the sandbox closes. */
    async follow(by: Told['by'], path: string) {
      const response = await fetch(path, { headers: { authorization: `Bearer ${door.shop.api_key}` } })
      void (async () => {
        for await (const part of response.body ?? []) tell(by, Buffer.from(part).toString())
      })().catch(() => {})
    },
    /** From the `nth` write, or sync, on the disk refuses; `accept` ends it. */
    refuse(nth = 1) {
      let left = nth
      const wanted = durable ? 'datasync journal' : 'write journal'
      disk.before = (call) =>
        call.startsWith(wanted) && --left <= 0 ? { taken: 9, error: diskError(durable ? 'EIO' : 'ENOSPC') } : undefined
    },
    accept() {
      disk.before = () => undefined
    },
    of: (by: Told['by'], text = '') => told.filter((one) => one.by === by && one.text.includes(text)),
  }
}

/** Of the event loop: more than anything needs that waits for none but the loop. */
export async function turns(count = 8): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise<void>((resolve) => setImmediate(resolve))
}
