// Spec 4.8: the event stream as an operation. Section 6.2 covers its messages.
import { expect } from 'vitest'
import type { Adapter } from './adapter.ts'
import { call, createPayment } from './caller.ts'
import { type ContractCase, section } from './case.ts'

const of = (name: string, run: ContractCase['run']) => section('4.8')(name, run, { needsProcessState: true })

const open = (adapter: Adapter, signal?: AbortSignal) =>
  adapter.fetch('/v1/public/events', {
    headers: { Authorization: `Bearer ${adapter.shop.api_key}` },
    ...(signal === undefined ? {} : { signal }),
  })

/** Returns the received text when it contains `words`. */
async function until(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, words: string): Promise<string> {
  let text = ''
  while (!text.includes(words)) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) throw new Error(`The stream ended after ${JSON.stringify(text)}`)
    text += new TextDecoder().decode(value)
  }
  return text
}

export const STREAM_CASES = [
  of('the stream opens with a comment and sends a payment in two lines', async (adapter) => {
    const response = await open(adapter)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-encoding')).toBeNull()
    const reader = response.body?.getReader()
    expect(await until(reader, '\n\n')).toBe(': connected\n\n')
    const { payment } = (await createPayment(adapter)).body
    const [event, data, ...rest] = (await until(reader, '\n\n')).split('\n')
    expect([event, rest]).toEqual(['event: payment.created', ['', '']])
    const { kind, at, payload } = JSON.parse(data?.slice('data: '.length) ?? '')
    expect({ kind, at }).toEqual({ kind: 'payment.created', at: payment.created_at })
    expect(payload).toMatchObject({ id: payment.id, amount: 150_000, status: 'pending' })
    await reader?.cancel()
  }),
  of('a second connection with the same key ends the first', async (adapter) => {
    const first = (await open(adapter)).body?.getReader()
    await until(first, '\n\n')
    const second = (await open(adapter)).body?.getReader()
    await until(second, '\n\n')
    expect((await first?.read())?.done).toBe(true)
    await second?.cancel()
  }),
  of('a second connection is rejected if the settings require it, and HEAD does not count', async (adapter) => {
    await adapter.arrange.settings({ stream_second: 'reject' })
    const head = await call(adapter, 'HEAD', '/v1/public/events')
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const first = (await open(adapter)).body?.getReader()
    await until(first, '\n\n')
    const second = await open(adapter)
    expect([second.status, await second.json()]).toMatchObject([409, { error: { code: 'stream_busy' } }])
    await first?.cancel()
  }),
]
