import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { ApiError, ConnectionError, reasonOf, UnexpectedResponseError } from '../../src/client/errors.ts'
import type { FetchInit } from '../../src/client/fetch-like.ts'
import { checkRequestSignature } from '../../src/domain/signatures.ts'

interface Sent {
  readonly url: string
  readonly init: FetchInit
}

function clientOf(
  reply: Response | Error,
  options: { apiKey?: string; signingSecret?: string; controlToken?: string } = {},
) {
  const sent: Sent[] = []
  const client = createClient({
    baseUrl: 'http://127.0.0.1:7770/',
    fetch: async (url, init) => {
      sent.push({ url, init })
      if (reply instanceof Error) throw reply
      return reply.clone()
    },
    ...options,
  })
  return { client, sent }
}

const ok = (value: unknown, status = 200) => Response.json(value, { status })

describe('the base URL', () => {
  const clientAt = (baseUrl: string, sent: string[]) =>
    createClient({
      baseUrl,
      apiKey: 'sk_test_x',
      async fetch(url) {
        sent.push(url)
        return ok({ items: [] })
      },
    })

  test.each(['7770', '"127.0.0.1:7770"', 'http://127.0.0.1:7770/v1/public/'])(
    'can be written as %s',
    async (baseUrl) => {
      const sent: string[] = []
      await clientAt(baseUrl, sent).banks()
      expect(sent).toEqual(['http://127.0.0.1:7770/v1/public/banks/sbp'])
    },
  )

  test.each(['psp.example', 'http://7770', ''])('is rejected if it is %j', (baseUrl) => {
    expect(() => clientAt(baseUrl, [])).toThrow(/^baseUrl: /)
  })

  test.each(['.psp.example/v1', '@psp.example/v1', 'v1'])('keeps its host with the path %s', async (path) => {
    const sent: string[] = []
    await clientAt('7770', sent).raw.public.json({ method: 'GET', path })
    expect(sent).toEqual([`http://127.0.0.1:7770/${path}`])
  })
})

describe('a request', () => {
  test('carries the key, the body and the optional headers', async () => {
    const { client, sent } = clientOf(ok({ payment: {}, payment_url: '' }), { apiKey: 'sk_test_x' })
    await client.payments.create({ amount: 100, order_id: undefined }, { idempotencyKey: 'k', outcome: 'pending' })
    expect(sent[0]?.url).toBe('http://127.0.0.1:7770/v1/public/payments')
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"amount":100}',
      redirect: 'manual',
      headers: {
        Authorization: 'Bearer sk_test_x',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'k',
        'X-PSP-Simulate': 'pending',
      },
    })
  })

  test('is signed over the bytes that are sent, also if the body is empty', async () => {
    const { client, sent } = clientOf(ok({ payment: {}, payment_url: '', id: '', status: '' }), {
      signingSecret: 'thm_secret',
    })
    await client.payments.create({ amount: 100, description: 'Чай ₽' })
    await client.payments.get('x')
    for (const { init } of sent) {
      const given = init.headers['X-PSP-Signature']
      expect(checkRequestSignature([given], init.body ?? '', 'thm_secret')).toBe('ok')
    }
  })

  test('carries the token and no key if it is for the control API', async () => {
    const { client, sent } = clientOf(ok({ items: [], next_cursor: null }), {
      apiKey: 'sk_test_x',
      controlToken: 'tok',
    })
    await client.control.events.list({ event: 'payment.*', since: undefined, limit: 5 })
    expect(sent[0]?.url).toBe('http://127.0.0.1:7770/_psp/events?event=payment.*&limit=5')
    expect(sent[0]?.init.headers).toEqual({ Accept: 'application/json', Authorization: 'Bearer tok' })
  })

  test('escapes special characters in a path', async () => {
    const { client, sent } = clientOf(ok({ id: '', status: '' }))
    await client.payments.get('../x?y')
    expect(sent[0]?.url).toBe('http://127.0.0.1:7770/v1/public/payments/..%2Fx%3Fy')
  })

  test('resolves with null if a DELETE has no response body', async () => {
    const { client } = clientOf(new Response(null, { status: 204 }))
    expect(await client.control.rules.clear()).toBeNull()
  })
})

describe('errors of a request', () => {
  test('an ApiError has the status, code and message, and a hint', async () => {
    const refusal = Response.json(
      { error: { code: 'rate_limited', message: 'Too many requests.' } },
      { status: 429, headers: { 'Retry-After': '3' } },
    )
    const error = await clientOf(refusal)
      .client.payments.get('x')
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 429, code: 'rate_limited', retryAfter: 3, hint: 'Wait 3 s and try again.' })
  })

  test('a response of another server is an UnexpectedResponseError', async () => {
    const page = new Response('<html>', { status: 502, headers: { 'Content-Type': 'text/html' } })
    const error = await clientOf(page)
      .client.payments.get('x')
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error.message).toContain('502 with text/html')
    const odd = await clientOf(ok({ error: 'no' }, 400))
      .client.payments.get('x')
      .catch((thrown) => thrown)
    expect(odd).toBeInstanceOf(UnexpectedResponseError)
  })

  test.each([
    ['nothing', new Response(null, { status: 204 })],
    ['an empty object', ok({})],
    ['a number', ok(1111)],
    ['a list', ok([])],
    ['null', ok(null)],
    ['fields of another kind', ok({ items: {}, payment: 'x', id: 7, status: null, mode: 1 })],
  ])('%s is not a psp response', async (_, reply) => {
    const { client } = clientOf(reply)
    const { control } = client
    const calls = [
      () => client.payments.create({ amount: 100 }),
      () => client.payments.get('x'),
      () => client.payments.cancel('x'),
      () => client.banks(),
      () => control.health(),
      () => control.clock.get(),
      () => control.shops.list(),
      () => control.shops.get('x'),
      () => control.rules.list(),
      () => control.events.list(),
      () => control.deliveries.get('x'),
      () => control.lists.payments(),
      () => control.requests(),
    ]
    for (const call of calls) {
      const error: unknown = await call().catch((thrown) => thrown)
      expect([String(call), error]).toEqual([String(call), expect.any(UnexpectedResponseError)])
      expect((error as UnexpectedResponseError).hint).toContain('Check the address')
    }
  })

  test('a ConnectionError names each address that was tried', async () => {
    const refused = (address: string) =>
      Object.assign(new Error('connect'), { code: 'ECONNREFUSED', address, port: 7770 })
    const both = new AggregateError([refused('127.0.0.1'), refused('::1')])
    const error = await clientOf(both)
      .client.payments.get('x')
      .catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toBe(
      'http://127.0.0.1:7770 cannot be reached: nothing listens at 127.0.0.1:7770 and [::1]:7770 (ECONNREFUSED)',
    )
  })

  test('network errors have plain messages', async () => {
    expect(reasonOf(new TypeError('fetch failed', { cause: new Error('deep') }))).toBe('deep')
    expect(reasonOf(Object.assign(new Error('odd'), { code: 'EODD' }))).toBe('odd')
    expect(reasonOf('text')).toBe('text')
    const closed = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
    expect(reasonOf(closed)).toBe('the connection was closed before a response')
    const upgraded = Object.assign(new Error('bad upgrade'), { code: 'UND_ERR_SOCKET' })
    expect(reasonOf(upgraded)).toBe('it responded 101 (switching protocols) instead of 2xx')
  })

  test('an aborted request throws the reason of its signal', async () => {
    const { client } = clientOf(new Error('aborted'))
    const reason = new Error('enough')
    await expect(client.control.health(AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
