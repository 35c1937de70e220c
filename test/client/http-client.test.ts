import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { ApiError, ConnectionError, UnexpectedResponseError, UnsendableHeaderError } from '../../src/client/errors.ts'
import type { FetchInit } from '../../src/client/fetch-like.ts'
import { openExport } from '../../src/client/http-client.ts'
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
    expect(error).toMatchObject({
      name: 'ApiError',
      status: 429,
      code: 'rate_limited',
      retryAfter: 3,
      hint: 'Wait 3 s and try again.',
    })
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

  test('a header that cannot be sent is an error before anything is sent', async () => {
    const { client, sent } = clientOf(ok({}), { apiKey: 'sk_test_\n' })
    await expect(client.payments.get('x')).rejects.toThrow(new UnsendableHeaderError('Authorization'))
    expect(sent).toEqual([])
  })

  test('a response that breaks in its body is a ConnectionError with the key of the request', async () => {
    const cut = Object.assign(new Error('cut'), { code: 'ECONNRESET' })
    const reply = { status: 200, headers: new Headers(), body: null, text: () => Promise.reject(cut) }
    const client = createClient({ baseUrl: '7770', fetch: async () => reply })
    const error = await client.payments.create({ amount: 1 }, { idempotencyKey: 'k' }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ sent: true, idempotencyKey: 'k', url: 'http://127.0.0.1:7770/v1/public/payments' })
    expect(error.hint).toContain('Send the same request again with `Idempotency-Key: k`')
  })

  test.each([
    [new Error('down'), undefined],
    [new Error('down'), new AbortController().signal],
  ])('the failure %o without an abort is a ConnectionError', async (failure, signal) => {
    await expect(clientOf(failure).client.control.health(signal)).rejects.toBeInstanceOf(ConnectionError)
  })

  test.each([
    ['text/html', { 'Content-Type': 'text/html' }, 'text', 'with text/html instead of JSON'],
    ['JSON without its fields', {}, '{}', 'with JSON, but it is not a psp server'],
  ])('the message of a response with %s names the URL', async (_, headers, text, what) => {
    const { client } = clientOf(new Response(text, { headers }))
    await expect(client.payments.get('x')).rejects.toThrow(
      `http://127.0.0.1:7770/v1/public/payments/x responded 200 ${what}.`,
    )
  })

  test('an export is returned as a stream, or rejected with the error of the server', async () => {
    const chunks: string[] = []
    for await (const chunk of await openExport(clientOf(new Response('{"a":1}')).client.raw.control))
      chunks.push(Buffer.from(chunk).toString())
    expect(chunks.join('')).toBe('{"a":1}')
    const refused = ok({ error: { code: 'forbidden', message: 'No.' } }, 403)
    await expect(openExport(clientOf(refused).client.raw.control)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(openExport(clientOf(new Response(null)).client.raw.control)).rejects.toThrow(
      '/_psp/export responded 200 with no content type instead of JSON.',
    )
  })

  test('a given header replaces a default one in any letter case, and null removes it', async () => {
    const { client, sent } = clientOf(ok({}), { apiKey: 'sk_test_x' })
    const headers = { ACCEPT: 'text/plain', 'X-Other': undefined, authorization: null }
    await client.raw.public.json({ method: 'GET', path: '/x', headers })
    expect(sent[0]?.init.headers).toEqual({ ACCEPT: 'text/plain' })
  })

  test('an aborted request throws the reason of its signal', async () => {
    const { client } = clientOf(new Error('aborted'))
    const reason = new Error('enough')
    await expect(client.control.health(AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
