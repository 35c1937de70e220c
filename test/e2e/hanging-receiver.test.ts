// A receiver that takes webhooks and never answers: it must hold up neither a start nor an end.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspace } from './helpers.ts'

let folder: ReturnType<typeof createWorkspace>
let receiver: Server
let arrived: Promise<void>
let hooks: string
beforeEach(async () => {
  folder = createWorkspace()
  let tell = () => {}
  arrived = new Promise((done) => {
    tell = done
  })
  receiver = createServer(() => tell())
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hang`
})
afterEach(async () => {
  await folder.remove()
  receiver.closeAllConnections()
  receiver.close()
})

const FAST = ['--set', 'delays.session=0s', '--set', 'delays.bank=0s']

describe('a receiver that never answers', () => {
  it('holds up no restart: the server is ready while the attempt that was due is on its way', async () => {
    const first = await folder.serve('--quiet', '--endpoint', hooks, ...FAST)
    await folder.psp('payments', 'create', '--amount', '100', '--method', 'sbp')
    await arrived
    first.child.kill('SIGKILL')
    await first.child
    const { ready, child } = await folder.serve('--quiet')
    const { items } = (await (await fetch(`${ready.url}/_psp/deliveries`)).json()) as { items: { status: string }[] }
    expect(items.map(({ status }) => status)).toEqual(['sending'])
    child.kill('SIGTERM')
    const ended = await child
    expect(ended.exitCode).toBe(0)
    expect(ended.durationMs).toBeLessThan(10_000)
  })

  it('delays no answer of the API', async () => {
    const { ready } = await folder.serve('--quiet', '--endpoint', hooks, ...FAST)
    await folder.psp('payments', 'create', '--amount', '100', '--method', 'sbp')
    await arrived
    const reply = await fetch(`${ready.url}/v1/public/banks/sbp`, {
      headers: { authorization: `Bearer ${ready.api_key}` },
      signal: AbortSignal.timeout(60_000),
    })
    expect(reply.status).toBe(200)
  })
})
