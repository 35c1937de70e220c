import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { ApiError, UnexpectedResponseError } from '../../src/client/errors.ts'
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

  test('an aborted request throws the reason of its signal', async () => {
    const { client } = clientOf(new Error('aborted'))
    const reason = new Error('enough')
    await expect(client.control.health(AbortSignal.abort(reason))).rejects.toBe(reason)
  })
})
