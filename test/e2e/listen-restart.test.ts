// `psp listen` outlives the server: it comes back by itself, and nothing that happened meanwhile is lost.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { deadPort } from '../delivery/receiver.ts'
import { createWorkspace, startVerifyingReceiver } from './helpers.ts'

let folder: ReturnType<typeof createWorkspace>
let shop: Awaited<ReturnType<typeof startVerifyingReceiver>>
beforeEach(async () => {
  folder = createWorkspace()
  shop = await startVerifyingReceiver()
})
afterEach(async () => {
  await folder.remove()
  shop.close()
})

const TWICE = ['SIGTERM', 'SIGKILL'] as const

test.each(TWICE)('over a server that was ended by %s', async (signal) => {
  const port = String(await deadPort())
  const flags = ['--port', port, '--quiet', '--clock', 'frozen']
  const first = await folder.serve(...flags)
  const listen = await folder.start(
    ['listen', '--forward', `127.0.0.1:${shop.port}/hooks`, '--url', first.ready.url],
    /Ready\./,
    'all',
  )
  await folder.psp('trigger', 'payment.succeeded', '--set', 'order_id=before')
  await listen.line(/<-- 200/)
  // A server that ends before it knows the answer sends again, rightly.
  const statuses = async () => {
    const reply = await fetch(`${first.ready.url}/_psp/deliveries`)
    return ((await reply.json()) as { items: { status: string }[] }).items.map(({ status }) => status)
  }
  await expect.poll(statuses).toEqual(['delivered'])

  first.child.kill(signal)
  await first.child
  await listen.line(/Connection lost/)
  // Nobody is there: what happens now waits in the folder.
  const meanwhile = await folder.psp('trigger', 'payment.failed', '--set', 'order_id=meanwhile')
  expect(meanwhile.exitCode).toBe(0)

  const second = await folder.serve(...flags)
  await listen.line(/Connected again\./)
  await folder.psp('trigger', 'payment.succeeded', '--set', 'order_id=after')
  await shop.count(3)
  const orders = shop.received.map(({ body, valid }) => [JSON.parse(body.toString()).data.order_id, valid])
  expect(orders.toSorted()).toEqual([
    ['after', true],
    ['before', true],
    ['meanwhile', true],
  ])

  listen.child.kill('SIGINT')
  const { exitCode, all } = await listen.child
  expect(exitCode).toBe(0)
  // Said once each, not once for every try.
  for (const once of [/Ready\./g, /Connection lost/g, /Connected again\./g]) expect(all?.match(once)).toHaveLength(1)
  second.child.kill('SIGTERM')
  await second.child
})
