// Requests on the fast path of the Node server get the same responses as with `fetch`.
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { frozenSandbox } from '../contract/adapter.ts'
import { BANK, PAYMENTS, PAYOUTS } from '../contract/caller.ts'

interface Sent {
  readonly status: number | undefined
  readonly headers: object
  readonly text: string
}

let sandbox: Sandbox
let servers: RunningServer[]
/** Requests that were left to `fetch`. */
let fetched: string[]

beforeEach(async () => {
  sandbox = await frozenSandbox()
  fetched = []
  const { fetch, fastPath } = sandbox
  const recorded: typeof fetch = (asked, bindings) => {
    fetched.push(`${asked.method} ${new URL(asked.url).pathname}`)
    return fetch(asked, bindings)
  }
  const options = { port: 0, host: '127.0.0.1', systemClock: createSystemClock() }
  servers = [await startServer({ fetch: recorded, fastPath }, options), await startServer({ fetch }, options)]
})
afterEach(async () => {
  for (const server of servers) await server.close({ grace_ms: 0 })
  await sandbox.close()
})

function ask(server: number, method: string, path: string, body?: string, more: object = {}): Promise<Sent> {
  const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, ...more }
  return new Promise((resolve, reject) => {
    const asked = request({ port: servers[server]?.port, method, path, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        const { date, 'keep-alive': _, ...rest } = response.headers
        resolve({ status: response.statusCode, headers: rest, text })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const UNKNOWN = '2e2f04ad-5a6e-4f95-8f3d-6bd54c6c86c6'

describe('the fast path', () => {
  test.each([
    ['GET', `${PAYMENTS}/${UNKNOWN}`, undefined, {}],
    ['GET', `/api${PAYMENTS}/${UNKNOWN}`, undefined, { authorization: 'none' }],
    ['POST', `${PAYMENTS}/${UNKNOWN}/refund`, '{"amount":-1}', {}],
    ['POST', `${PAYMENTS}/${UNKNOWN}/cancel`, undefined, {}],
    ['POST', PAYMENTS, '{"amount":', { 'content-type': 'text/plain' }],
    ['POST', PAYMENTS, '{"amount":true}', {}],
    ['GET', '/v1/public/banks/sbp', undefined, { 'x-psp-signature': 'sha256=00' }],
    ['GET', '/v1/public/banks/sbp', undefined, {}],
  ])('responds to %s %s as fetch does', async (method, path, body, headers) => {
    const [fast, slow] = [await ask(0, method, path, body, headers), await ask(1, method, path, body, headers)]
    expect(fast).toEqual(slow)
    expect(fetched).toEqual([])
  })

  test('creates payments and payouts without fetch', async () => {
    const payment = await ask(0, 'POST', PAYMENTS, '{"amount":100}')
    const payout = await ask(0, 'POST', PAYOUTS, JSON.stringify({ amount: 1, phone: '+79991234567', bank_id: BANK }))
    expect([payment.status, payout.status, fetched]).toEqual([201, 201, []])
    const { id } = JSON.parse(payment.text).payment
    const [fast, slow] = [await ask(0, 'GET', `${PAYMENTS}/${id}`), await ask(1, 'GET', `${PAYMENTS}/${id}`)]
    expect(fast).toEqual(slow)
  })

  test.each([
    ['HEAD', `${PAYMENTS}/${UNKNOWN}`, undefined, {}],
    ['GET', `${PAYMENTS}/${UNKNOWN}?a=b`, undefined, {}],
    ['GET', `${PAYMENTS}/${UNKNOWN}%20`, undefined, {}],
    ['DELETE', PAYMENTS, undefined, {}],
    ['GET', '/v1/public/banks/sbp/', undefined, {}],
    ['GET', '/_psp/health', undefined, {}],
    ['POST', PAYMENTS, '{"amount":100}', { host: 'EXAMPLE.test' }],
    ['POST', PAYMENTS, JSON.stringify({ amount: 100, metadata: { long: 'x'.repeat(70_000) } }), {}],
  ])('leaves %s %s to fetch', async (method, path, body, headers) => {
    await ask(0, method, path, body, headers)
    expect(fetched).toHaveLength(1)
  })

  test('checks each Host, also after a request with an ordinary one', async () => {
    const hosts = ['example.test', 'EXAMPLE.test', 'example.test', 'EXAMPLE.test']
    for (const host of hosts) await ask(0, 'GET', '/v1/public/banks/sbp', undefined, { host })
    expect(fetched).toHaveLength(2)
  })
})
