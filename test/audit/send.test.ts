import { expect, test } from 'vitest'
import { createSend } from '../../src/audit/send.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

test('the response time of a body in pieces begins with the last piece', async () => {
  const systemClock = manualSystemClock()
  const shop = {
    async fetch(_url: string, { pieces }: { pieces?: AsyncIterable<Uint8Array> }) {
      for await (const _ of pieces ?? []) {
      }
      await new Promise<void>((resolve) => void systemClock.setTimeout(resolve, 70))
      return { status: 200, headers: { get: () => null }, body: null, text: async () => '' }
    },
  }
  const options = { url: 'http://shop.test/hooks', timeout: 60_000, pause: 1000, headers: [] }
  const send = createSend({ ...options, fetch: shop.fetch as never, systemClock })
  const response = send({ headers: [], body: Buffer.from('12345678'), pieces: 8 } as never)
  await systemClock.advance(7000)
  await systemClock.advance(70)
  expect(await response).toMatchObject({ status: 200, ms: 70 })
})

const reset = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })

function sendTo(...replies: readonly (number | Error)[]) {
  const left = [...replies]
  const fetch = async () => {
    const next = left.shift()
    if (typeof next !== 'number') throw next
    return { status: next, headers: { get: () => null }, body: null, text: async () => '' }
  }
  const options = { url: 'http://shop.test/hooks', timeout: 60_000, pause: 1, headers: [] }
  const send = createSend({ ...options, fetch: fetch as never, systemClock: manualSystemClock() })
  return async () => await send({ headers: [], body: Buffer.from('{}') } as never)
}

test('a closed connection is explained by HTTP/2 only if the handler has not responded to an earlier request', async () => {
  const send = sendTo(reset(), 400, reset())
  expect((await send()).error).toMatch(/ See its log\. If it supports only HTTP\/2, accept HTTP\/1\.1\.$/)
  await send()
  expect((await send()).error).toBe('shop.test closed the connection before it responded. See its log.')
})
