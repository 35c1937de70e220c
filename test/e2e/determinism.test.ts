// Two servers, started one after the other, are told the same and give the same.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWorkspace, startVerifyingReceiver } from './helpers.ts'

let folder: ReturnType<typeof createWorkspace>
let receiver: Awaited<ReturnType<typeof startVerifyingReceiver>>
beforeEach(async () => {
  folder = createWorkspace()
  let came = 0
  receiver = await startVerifyingReceiver(() => (came++ % 2 === 0 ? 500 : 200))
})
afterEach(async () => {
  receiver.close()
  await folder.remove()
})

test('--random-seed with a frozen clock: equal exports and webhook bodies, to the byte', async () => {
  const runs = [await play(), await play()]
  expect(runs[0]?.bodies).toHaveLength(6)
  expect(runs[1]).toEqual(runs[0])
  expect(JSON.parse(runs[0]?.state ?? '').tables.deliveries).toHaveLength(3)
})

async function play() {
  const hooks = `http://127.0.0.1:${receiver.port}/hooks`
  const flags = ['--ephemeral', '--quiet', '--random-seed', '7', '--clock', 'frozen', '--endpoint', hooks]
  const server = await folder.serve(...flags)
  const { url, api_key } = server.ready
  const call = async (method: string, path: string, body?: object): Promise<string> => {
    const headers = { Authorization: `Bearer ${api_key}`, ...(body && { 'Content-Type': 'application/json' }) }
    const reply = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return reply.text()
  }
  const { payment } = JSON.parse(await call('POST', '/v1/public/payments', { amount: 15_000, method: 'sbp' }))
  await call('POST', '/_psp/clock/advance', { by: '1h' })
  await call('POST', `/v1/public/payments/${payment.id}/refund`, { amount: 100 })
  await call('POST', '/_psp/clock/advance', { by: '1h' })
  const second = JSON.parse(await call('POST', '/v1/public/payments', { amount: 700 }))
  await call('POST', `/v1/public/payments/${second.payment.id}/cancel`)
  await call('POST', '/_psp/clock/advance', { by: '1h' })
  const state = await call('GET', '/_psp/export')
  server.child.kill('SIGTERM' as never)
  await server.child
  return { state, bodies: receiver.received.splice(0).map(({ body }) => body.toString()) }
}
