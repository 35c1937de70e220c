// A caller that guesses the control token is slowed down, and other callers are not.
import type { IncomingMessage } from 'node:http'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../../src/sandbox.ts'
import { type ManualSystemClock, manualSystemClock } from '../../time/manual-system-clock.ts'

const TOKEN = 'a-control-token-of-a-test'

let systemClock: ManualSystemClock
let ask: (token: string | undefined, address?: string, path?: string) => Promise<Response>

beforeEach(async () => {
  systemClock = manualSystemClock(Date.UTC(2026, 4, 6, 12))
  const sandbox = await assembleSandbox({ systemClock, control: { host: '0.0.0.0', loopback: false, token: TOKEN } })
  onTestFinished(() => sandbox.close({ grace_ms: 0 }))
  ask = async (token, address = '192.0.2.1', path = '/_psp/settings') => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { host: 'psp:7770', accept: path === '/' ? 'text/html' : '*/*', ...authorization }
    const incoming = { headers, socket: { remoteAddress: address } } as unknown as IncomingMessage
    return await sandbox.fetch(new Request(`http://psp:7770${path}`, { headers }), { incoming })
  }
})

/** Sends wrong tokens. Returns the status of each response. */
async function guess(count: number, address?: string, path?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) statuses.push((await ask(`guess-number-${n}-of-it`, address, path)).status)
  return statuses
}

test('an address may send ten wrong tokens, and then one per second', async () => {
  expect(await guess(12)).toEqual([...Array(10).fill(401), 429, 429])
  await systemClock.advance(1000)
  expect(await guess(2)).toEqual([401, 429])
  await systemClock.advance(60_000)
  expect(await guess(11)).toEqual([...Array(10).fill(401), 429])
})

test('a slowed down address does not learn whether its next token is right', async () => {
  await guess(10)
  const refused = await ask(TOKEN)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect(await refused.json()).toMatchObject({
    error: { code: 'rate_limited', message: expect.stringContaining('192.0.2.1') },
  })
  await systemClock.advance(1000)
  expect((await ask(TOKEN)).status).toBe(200)
})

test('other addresses are not slowed down', async () => {
  await guess(20)
  expect((await ask(TOKEN, '192.0.2.2')).status).toBe(200)
  expect((await ask('wrong', '192.0.2.2')).status).toBe(401)
})

test('right tokens and requests without a token are never slowed down', async () => {
  for (let n = 0; n < 30; n++) {
    expect((await ask(TOKEN)).status).toBe(200)
    expect((await ask(undefined)).status).toBe(401)
  }
  await guess(20)
  expect((await ask(undefined)).status).toBe(401)
  expect((await ask(undefined, '192.0.2.1', '/_psp/health')).status).toBe(200)
})

test.each(['/_psp/health', '/_psp/nothing', '/'])('wrong tokens at %s count as well', async (path) => {
  await guess(10, '192.0.2.3', path)
  expect((await ask(TOKEN, '192.0.2.3')).status).toBe(429)
  // The document of the dashboard is public. It contains no data.
  if (path === '/') expect((await ask(TOKEN, '192.0.2.3', path)).status).toBe(200)
})
