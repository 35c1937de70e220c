// Limits in characters count code points, in headers and in bodies; header bytes are read as UTF-8.
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { RunningServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox } from '../../src/sandbox.ts'
import { raw, serve } from './fixtures.ts'

let sandbox: Sandbox
let server: RunningServer
beforeEach(async () => {
  sandbox = await assembleSandbox({ clock: { mode: 'frozen' } })
  server = await serve(sandbox)
})
afterEach(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
})

/** @param query a query, with which the server does not use its fast path */
async function create(key: Buffer, query = ''): Promise<{ status: number; text: string }> {
  const head = [
    `POST /v1/public/payments${query} HTTP/1.1`,
    'Host: a',
    'Connection: close',
    `Authorization: Bearer ${sandbox.defaultShop().api_key}`,
    'Content-Length: 12',
  ].join('\r\n')
  const bytes = [Buffer.from(`${head}\r\nIdempotency-Key: `), key, Buffer.from('\r\n\r\n{"amount":1}')]
  const text = await raw(server.port, Buffer.concat(bytes))
  return { status: Number(text.slice(9, 12)), text }
}

describe.each(['', '?a'])('an Idempotency-Key (query %j)', (query) => {
  it.each(['Ж', '€', '💳'])('may have 64 characters %s', async (character) => {
    expect((await create(Buffer.from(character.repeat(64)), query)).status).toBe(201)
    expect((await create(Buffer.from(character.repeat(64)), query)).status).toBe(200)
    expect((await create(Buffer.from(`${character.repeat(63)}x`), query)).status).toBe(201)
    expect((await create(Buffer.from(`"${character.repeat(64)}"`), query)).status).toBe(200)
    const { status, text } = await create(Buffer.from(character.repeat(65)), query)
    expect(status).toBe(400)
    expect(text).toContain('Idempotency-Key: expected 1 to 64 characters, got 65.')
  })

  it('has one character per byte if it is not UTF-8', async () => {
    expect((await create(Buffer.from('é'.repeat(64), 'latin1'), query)).status).toBe(201)
    const { text } = await create(Buffer.from('é'.repeat(65), 'latin1'), query)
    expect(text).toContain('got 65.')
  })
})

test('the request log shows a key as it was written', async () => {
  await create(Buffer.from('заказ-1'))
  const response = await fetch(`${server.url}/_psp/requests`)
  const { items } = (await response.json()) as { items: { idempotency_key: string }[] }
  expect(items[0]?.idempotency_key).toBe('заказ-1')
})

test('a state with keys of any characters is exported and imported', async () => {
  await create(Buffer.from('заказ №1 💳'))
  const state = await (await fetch(`${server.url}/_psp/export`)).text()
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${server.url}/_psp/import`, { method: 'PUT', headers, body: state })
  expect(response.status).toBe(200)
  expect((await create(Buffer.from('заказ №1 💳'))).status).toBe(200)
})

test('a refused header value is quoted as it was written', async () => {
  const head = `POST /v1/public/payments HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${sandbox.defaultShop().api_key}`
  const got = await raw(
    server.port,
    Buffer.from(`${head}\r\nX-PSP-Simulate: отказ\r\nContent-Length: 12\r\n\r\n{"amount":1}`),
  )
  expect(got).toContain('отказ')
})

describe.each(['over a socket', 'in this process'])('the client %s', (way) => {
  let client: Client
  beforeEach(() => {
    const inProcess = (url: string, init?: RequestInit) => sandbox.fetch(new Request(url, init))
    client = createClient({
      fetch: way === 'in this process' ? inProcess : fetch,
      baseUrl: server.url,
      apiKey: sandbox.defaultShop().api_key,
    } as Parameters<typeof createClient>[0])
  })

  it('sends an Idempotency-Key of any letters', async () => {
    const first = await client.payments.create({ amount: 1 }, { idempotencyKey: 'заказ-1' })
    const again = await client.payments.create({ amount: 1 }, { idempotencyKey: 'заказ-1' })
    expect(again.payment.id).toBe(first.payment.id)
    const { items } = await client.control.requests({})
    expect(items[0]?.idempotency_key).toBe('заказ-1')
  })
})

describe('a field of the control API', () => {
  const post = async (path: string, body: object) =>
    (
      await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status

  it('counts characters of a name', async () => {
    expect(await post('/_psp/shops', { name: '💳'.repeat(200) })).toBe(201)
    expect(await post('/_psp/shops', { name: '💳'.repeat(201) })).toBe(400)
  })

  it('counts characters of an address', async () => {
    const start = 'http://localhost:3000/'
    expect(await post('/_psp/listeners', { url: start + '💳'.repeat(2000 - start.length) })).toBe(201)
    expect(await post('/_psp/listeners', { url: start + '💳'.repeat(2001 - start.length) })).toBe(400)
  })

  it('keeps its 200 characters in an export and an import', async () => {
    await post('/_psp/shops', { name: '💳'.repeat(200) })
    const state = await (await fetch(`${server.url}/_psp/export`)).text()
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${server.url}/_psp/import`, { method: 'PUT', headers, body: state })
    expect(response.status).toBe(200)
  })
})
