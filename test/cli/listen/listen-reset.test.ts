// What `psp listen` does with webhooks that it received before the state of the sandbox was replaced.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startListener, startTestServer, waitUntil } from '../helpers.ts'

test('the response to a webhook from before a restore does not count for the webhook after it', async () => {
  const rig = await startTestServer()
  const held: ServerResponse[] = []
  const app = createServer((request, response) => void request.resume().on('end', () => held.push(response)))
  await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    app.closeAllConnections()
    await new Promise((resolve) => void app.close(resolve))
    await rig.close()
  })
  const running = await startListener(rig, '--forward', `localhost:${(app.address() as AddressInfo).port}/hooks`)
  await rig.psp('trigger payment.failed')
  await waitUntil(() => held.length === 1)
  await rig.psp('store snapshot before')
  await rig.psp('store restore before')
  await waitUntil(() => held.length === 2)
  held[0]?.writeHead(500).end()
  await waitUntil(() => running.output().includes('<-- 500'))
  held[1]?.writeHead(200).end()
  await waitUntil(() => running.output().includes('<-- 200'))
  const { items } = JSON.parse((await rig.psp('webhooks deliveries list --json')).stdout)
  expect(items).toMatchObject([{ status: 'delivered', attempts: [{ number: 1, status: 200 }] }])
  expect(running.errors()).not.toContain('could not be reported')
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(0)
})
