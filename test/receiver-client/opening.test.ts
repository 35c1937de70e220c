import { expect, test, vi } from 'vitest'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

const made = vi.hoisted(() => ({ broken: true }))

vi.mock('../../src/receiver-client/undici-client.ts', async (original) => {
  const { Agent, Client, Pool } = await original<typeof import('../../src/receiver-client/undici-client.ts')>()
  return {
    get Agent() {
      if (made.broken) throw new Error('Cannot find module undici')
      return Agent
    },
    Client,
    Pool,
  }
})

test('a module that cannot be loaded causes an error, and the next send loads it', async () => {
  const transport = createTransport(createSystemClock())
  // Port 9 of this machine: nothing listens there.
  const request = { url: 'http://127.0.0.1:9/', headers: [], body: new Uint8Array(), deadline_ms: 20_000 }
  const answers = await Promise.all([transport.send(request), transport.send(request)])
  expect(answers).toEqual(Array(2).fill({ error: 'The request to 127.0.0.1:9 failed: Cannot find module undici' }))
  made.broken = false
  expect((await transport.send(request)).error).toMatch(/^Connection refused: nothing listens/)
  await transport.close()
})

test('a transport can be closed although its module could not be loaded', async () => {
  made.broken = true
  const transport = createTransport(createSystemClock())
  const request = { url: 'http://127.0.0.1:9/', headers: [], body: new Uint8Array(), deadline_ms: 20_000 }
  const answer = transport.send(request)
  await transport.close()
  expect((await answer).error).toMatch(/Cannot find module/)
})
