import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './helpers.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('`psp events get` prints the name, the object and the time of an event above its data', async () => {
  const { stdout } = await server.psp('payments create --amount 100 --outcome failed:card_expired --json')
  const { payment } = JSON.parse(stdout) as { payment: { id: string } }
  await server.psp('clock advance 1h')
  const [id = ''] = /evt_\w+/.exec((await server.psp('events list --json')).stdout) ?? []
  const event = JSON.parse((await server.psp(['events', 'get', id, '--json'])).stdout)
  const shown = (await server.psp(['events', 'get', event.id])).stdout.split('\n')
  expect(shown.slice(0, 5).map((line) => line.split(/ {2,}/))).toEqual([
    ['event', event.id],
    ['name', 'payment.failed'],
    ['object', payment.id],
    ['created', `${event.created_at.slice(0, 19).replace('T', ' ')} UTC`],
    ['{'],
  ])
})
