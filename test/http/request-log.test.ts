import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SandboxTime, WallTime } from '../../src/domain/time.ts'
import { createByteRingBuffer } from '../../src/http/byte-ring-buffer.ts'
import {
  createRequestLog,
  type LoggedRequest,
  mask,
  presentLogged,
  presentWithoutBodies,
} from '../../src/http/request-log.ts'

const begun = { at: 0 as WallTime, sandbox_at: 0 as SandboxTime, started: 0, method: 'GET', path: '/' }
const entry = (id: number, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  ...begun,
  id,
  warnings: [],
  ...more,
})

describe('the request log', () => {
  test('keeps the newest requests up to its limit, newest first', () => {
    let limit = 3
    const log = createRequestLog(
      () => limit,
      () => 0,
    )
    for (let id = 1; id <= 100; id++) log.push(log.begin(begun))
    expect(log.entries().map(({ id }) => id)).toEqual([100, 99, 98])
    // A higher limit shows all entries in memory: at most twice the limit.
    limit = 1000
    expect(log.entries().length).toBeLessThanOrEqual(6)
  })

  test('drops requests that began before the state was replaced, but passes them to its listeners', () => {
    let generation = 0
    const log = createRequestLog(
      () => 9,
      () => generation,
    )
    const [over, held] = [log.begin(begun), log.begin(begun)]
    log.push(over)
    generation = 1
    const after = log.begin(begun)
    log.push(after)
    log.clear()
    const seen: number[] = []
    log.listen(({ id }) => seen.push(id))
    log.push(held)
    expect([log.entries().map(({ id }) => id), seen]).toEqual([[after.id], [held.id]])
  })

  test('keeps no request if the limit is 0, but passes each one to its listeners', () => {
    const log = createRequestLog(
      () => 0,
      () => 0,
    )
    const seen: number[] = []
    const stop = log.listen(({ id }) => seen.push(id))
    log.push(entry(1))
    stop()
    log.push(entry(2))
    expect([log.entries(), seen]).toEqual([[], [1]])
  })

  test('keeps the beginning of long bodies', () => {
    const log = createRequestLog(
      () => 3,
      () => 0,
    )
    const long = log.begin(begun)
    long.request_body = 'x'.repeat(2_000_000)
    long.response_body = '₽ short'
    log.push(long)
    const [kept] = log.entries()
    expect(kept?.request_body).toHaveLength(16 * 1024 + '… (shortened)'.length)
    expect(kept?.response_body).toBe('₽ short')
    expect(presentLogged(kept as LoggedRequest)).toMatchObject({ id: 1, response_body: '₽ short' })
  })

  test('drops old bodies before it drops their entries', () => {
    const log = createRequestLog(
      () => 1000,
      () => 0,
    )
    for (let i = 0; i < 1000; i++) {
      const next = log.begin(begun)
      next.request_body = String(i).padEnd(16_000, '-')
      log.push(next)
    }
    const bodies = log.entries().map(({ request_body }) => request_body)
    expect(bodies).toHaveLength(1000)
    expect(bodies[0]).toMatch(/^999-+$/)
    const kept = bodies.indexOf(undefined)
    expect(kept).toBeGreaterThan(200)
    expect(bodies.slice(0, kept).every((body, i) => body?.startsWith(String(999 - i)))).toBe(true)
    expect(bodies.slice(kept).every((body) => body === undefined)).toBe(true)
  })

  test.each([
    ['Bearer sk_test_abc123_verysecret', 'Bearer sk_test_abc123_***'],
    ['{"a":"sk_live_abc123_x.y-z","b":1}', '{"a":"sk_live_abc123_***","b":1}'],
    ['whs_secret and thm_secret', 'whs_*** and thm_***'],
    ['card 4242424242424242.', 'card 424242******4242.'],
    ['phone +79991234567, bank 100000000111', 'phone +79991234567, bank 100000000111'],
    ['card 4242 4242 4242 4242.', 'card 424242******4242.'],
    ['{"note":"4242424242424242 12/29 123"}', '{"note":"424242******4242 12/29 123"}'],
    ['/v1/7/378282246310005', '/v1/7/378282*****0005'],
    ['"amount":9007199254740993', '"amount":9007199254740993'],
  ])('masks %j as %j', (text, masked) => {
    expect(mask(text)).toBe(masked)
  })

  test('masks secrets in its output, and leaves the stored entry unchanged', () => {
    const kept = entry(1, { path: '/?key=sk_test_abc123_secret', request_body: 'whs_x', warnings: ['thm_y'] })
    expect(presentLogged(kept)).toMatchObject({
      path: '/?key=sk_test_abc123_***',
      request_body: 'whs_***',
      warnings: ['thm_***'],
    })
    expect(kept.request_body).toBe('whs_x')
    expect(presentWithoutBodies(kept)).toMatchObject({ path: '/?key=sk_test_abc123_***', warnings: ['thm_***'] })
    expect(presentWithoutBodies(kept)).not.toHaveProperty('request_body')
    const failed = (response_body: string) => presentWithoutBodies(entry(1, { code: 'bad_request', response_body }))
    expect(failed('{"error":{"message":"amount: required."}}').message).toBe('amount: required.')
    for (const body of ['{"error":{"message":5}}', '{"error":{"mess… (shortened)', '']) {
      expect(failed(body)).not.toHaveProperty('message')
    }
  })
})

describe('the ring buffer of bodies', () => {
  test('returns the newest texts completely, and never another text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 60, size: 'max' }), { maxLength: 200, size: 'max' }),
        (texts) => {
          const ring = createByteRingBuffer(1024)
          const added = texts.map((text) => ({ text: text.toString(), at: ring.add(text) }))
          let isDropped = false
          for (const { text, at } of added.reverse()) {
            const got = ring.get(at)
            if (got === undefined) isDropped = true
            // A text older than a dropped one is dropped, too. Lone surrogates have no UTF-8.
            else expect([isDropped, got]).toEqual([false, Buffer.from(text).toString()])
          }
        },
      ),
      { seed: 1, numRuns: 300 },
    )
  })

  test('returns every text until it is full, also after its memory has grown', () => {
    const ring = createByteRingBuffer(1024 * 1024)
    const texts = Array.from({ length: 300 }, (_, at) => `${at} `.padEnd(10 * at + 4, 'ж'))
    const added = texts.map((text) => ({ text, at: ring.add(text) }))
    expect(Buffer.byteLength(texts.join(''))).toBeGreaterThan(500_000)
    for (const { text, at } of added) expect(ring.get(at)).toBe(text)
  })

  test('refuses a text that is too long', () => {
    expect(() => createByteRingBuffer(100).add('x'.repeat(40))).toThrow(RangeError)
  })

  test('stores a text that is repeated immediately once', () => {
    const ring = createByteRingBuffer(100)
    const first = ring.add('the same string')
    expect(ring.add('the same string')).toBe(first)
    expect(ring.get(first)).toBe('the same string')
    ring.add('another')
    const later = ring.add('the same string')
    expect(later).not.toBe(first)
    expect(ring.get(later)).toBe('the same string')
  })
})
