import { describe, expect, test } from 'vitest'
import { ConnectionError } from '../../src/client/errors.ts'
import type { FetchResponse } from '../../src/client/fetch-like.ts'
import {
  type FollowOptions,
  follow,
  RECONNECT_DELAYS,
  readSse,
  SILENCE_LIMIT,
  type StreamState,
} from '../../src/client/follow.ts'
import { countRetained } from '../count-retained.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

/** A connection that the test controls. */
function line() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started
    },
  })
  const reply: FetchResponse = {
    status: 200,
    headers: new Headers({ 'Content-Type': 'text/event-stream' }),
    body,
    text: async () => '',
  }
  return {
    reply,
    send: (text: string) => controller?.enqueue(Buffer.from(text)),
    end: () => controller?.close(),
    fail: (error: Error) => controller?.error(error),
  }
}

function rig(connections: (ReturnType<typeof line> | Error | FetchResponse)[], more: Partial<FollowOptions> = {}) {
  const systemClock = manualSystemClock()
  const ended = new AbortController()
  const states: StreamState[] = []
  const asked: (string | undefined)[] = []
  const messages = follow({
    timers: systemClock,
    signal: ended.signal,
    onState: (state) => states.push(state),
    ...more,
    connect: async (lastEventId) => {
      asked.push(lastEventId)
      const next = connections.shift()
      if (next === undefined) throw new Error('no more connections')
      if (next instanceof Error) throw next
      return 'reply' in next ? next.reply : next
    },
  })
  return { systemClock, ended, states, asked, messages, next: async () => (await messages.next()).value?.data }
}

const refused = () => new ConnectionError('http://127.0.0.1:1', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }))

describe('a followed stream', () => {
  test('retains none of the chunks that it has read', async () => {
    const chunks: WeakRef<object>[] = []
    async function* body() {
      for (;;) {
        const chunk = Buffer.from(`data: ${chunks.length}\n\n`)
        chunks.push(new WeakRef(chunk))
        yield chunk
      }
    }
    const { next } = rig([{ ...line().reply, body: body() }])
    for (let n = 0; n < 100; n++) expect(await next()).toBe(String(n))
    expect(await countRetained(chunks)).toBeLessThan(5)
  })

  test('resumes after the id of its last message', async () => {
    const [first, second] = [line(), line()]
    const { next, asked, states, systemClock } = rig([first, second])
    first.send(': connected\n\nid: 7\nevent: a\ndata: one\n\n')
    expect(await next()).toBe('one')
    const two = next()
    first.end()
    await systemClock.advance(RECONNECT_DELAYS[0])
    second.send('data: two\n\n')
    expect(await two).toBe('two')
    expect(asked).toEqual([undefined, '7'])
    expect(states).toEqual([
      { state: 'open', isReconnect: false },
      { state: 'lost', reason: 'the server closed the stream', retryIn: RECONNECT_DELAYS[0] },
      { state: 'open', isReconnect: true },
    ])
  })

  test('closes a silent connection and opens a new one', async () => {
    const [dead, alive] = [line(), line()]
    const { next, states, systemClock } = rig([dead, alive])
    dead.send('data: one\n\n')
    expect(await next()).toBe('one')
    const two = next()
    await systemClock.advance(SILENCE_LIMIT + RECONNECT_DELAYS[0])
    alive.send('data: two\n\n')
    expect(await two).toBe('two')
    expect(states[1]).toMatchObject({ state: 'lost', reason: 'no data for 60 s' })
  })

  test('stays open while heartbeats are sent', async () => {
    const only = line()
    const { next, states, systemClock, ended } = rig([only])
    only.send('data: one\n\n')
    await next()
    const end = next()
    for (let i = 0; i < 10; i++) {
      await systemClock.advance(25_000)
      only.send(': ping\n\n')
    }
    await systemClock.advance(1)
    expect(states).toHaveLength(1)
    ended.abort()
    expect(await end).toBeUndefined()
  })

  test('waits longer after each failure; the reconnect delay and the reconnect limit restart after a successful connection', async () => {
    const [first, last, more] = [line(), line(), line()]
    const { next, states, systemClock } = rig([first, refused(), refused(), last, more], { maxReconnectWait: 1750 })
    first.send('data: one\n\n')
    await next()
    const two = next()
    first.fail(new Error('cut'))
    await systemClock.advance(250 + 500 + 1000)
    last.send('data: two\n\n')
    expect(await two).toBe('two')
    const three = next()
    last.end()
    await systemClock.advance(250)
    more.send('data: three\n\n')
    expect(await three).toBe('three')
    expect(states.flatMap((state) => (state.state === 'lost' ? [state.retryIn] : []))).toEqual([250, 500, 1000, 250])
    expect(states[2]).toMatchObject({ reason: 'nothing listens (ECONNREFUSED)' })
  })

  test('throws if the first connection fails', async () => {
    await expect(rig([refused()]).next()).rejects.toBeInstanceOf(ConnectionError)
  })

  test('throws if the server rejects a connection, also a later one', async () => {
    const first = line()
    const refusal = Response.json({ error: { code: 'unauthorized', message: 'x' } }, { status: 401 })
    const { next, systemClock } = rig([first, refusal])
    first.send('data: one\n\n')
    await next()
    const end = expect(next()).rejects.toThrow()
    first.end()
    await systemClock.advance(RECONNECT_DELAYS[0])
    await end
  })

  test('fails if `onOpen` on the first connection fails', async () => {
    const onOpen = async () => {
      throw refused()
    }
    await expect(rig([line()], { onOpen }).next()).rejects.toBeInstanceOf(ConnectionError)
  })

  test('reconnects if `onOpen` on a later connection fails', async () => {
    const [first, second, third] = [line(), line(), line()]
    let opened = 0
    const onOpen = async () => {
      opened++
      if (opened === 2) throw refused()
    }
    const { next, systemClock } = rig([first, second, third], { onOpen })
    first.send('data: one\n\n')
    await next()
    const two = next()
    first.end()
    await systemClock.advance(250 + 500)
    third.send('data: two\n\n')
    expect(await two).toBe('two')
    expect(opened).toBe(3)
  })

  test('ends if the signal aborts during `onOpen`', async () => {
    const { next, ended } = rig([line()], { onOpen: () => new Promise(() => {}) })
    const end = next()
    ended.abort()
    expect(await end).toBeUndefined()
  })

  test('throws the last error when the reconnect limit is reached', async () => {
    const first = line()
    const { next, systemClock, states } = rig([first, refused(), refused()], { maxReconnectWait: 750 })
    first.send('data: one\n\n')
    await next()
    const end = expect(next()).rejects.toBeInstanceOf(ConnectionError)
    first.end()
    await systemClock.advance(2000)
    await end
    expect(states).toHaveLength(3)
  })

  test('waits longer before each reconnect, up to 10 s', async () => {
    const first = line()
    const { next, systemClock, states, ended } = rig([first, ...Array.from({ length: 8 }, refused)])
    first.send('data: one\n\n')
    await next()
    const end = next()
    first.end()
    await systemClock.advance(250 + 500 + 1000 + 2000 + 5000 + 10_000)
    expect(states.flatMap((each) => (each.state === 'lost' ? [each.retryIn] : []))).toEqual([
      250, 500, 1000, 2000, 5000, 10_000, 10_000,
    ])
    ended.abort()
    await end
  })

  test('counts a connection as lost after 60 s without a byte', async () => {
    const [first, second] = [line(), line()]
    const { next, systemClock, states, ended } = rig([first, second])
    first.send('data: one\n\n')
    await next()
    const end = next()
    await systemClock.advance(59_999)
    expect(states.map(({ state }) => state)).toEqual(['open'])
    await systemClock.advance(1)
    expect(states.map(({ state }) => state)).toEqual(['open', 'lost'])
    ended.abort()
    await end
  })

  test('reconnects after a 503', async () => {
    const [first, second] = [line(), line()]
    const busy = Response.json({ error: { code: 'storage_unavailable', message: 'x' } }, { status: 503 })
    const { next, systemClock } = rig([first, busy, second])
    first.send('data: one\n\n')
    await next()
    const two = next()
    first.end()
    await systemClock.advance(250 + 500)
    second.send('data: two\n\n')
    expect(await two).toBe('two')
  })

  test('ends without an error if the signal aborts, at any time', async () => {
    const first = line()
    const { next, ended, systemClock } = rig([first])
    first.send('data: one\n\n')
    await next()
    const end = next()
    first.end()
    await systemClock.advance(1)
    ended.abort()
    expect(await end).toBeUndefined()
    expect(systemClock.waiting()).toBe(0)
  })
})

test('a message is whole wherever the chunks are cut, also within a character', async () => {
  const bytes = Buffer.from('event: a\ndata: {"x":"₽ж"}\nid: 1\n\n: ping\n\ndata: b\n\n')
  for (let cut = 1; cut < bytes.length; cut++) {
    const seen = []
    const chunks = (async function* () {
      yield bytes.subarray(0, cut)
      yield bytes.subarray(cut)
    })()
    for await (const message of readSse(chunks)) seen.push(message)
    expect(seen).toEqual([
      { id: '1', event: 'a', data: '{"x":"₽ж"}' },
      { id: undefined, event: 'message', data: 'b' },
    ])
  }
})

test('a 200 response that is not a stream is an error at once', async () => {
  const reply = Response.json({})
  const messages = follow({
    connect: async () => reply as unknown as FetchResponse,
    timers: manualSystemClock(),
    signal: new AbortController().signal,
  })
  await expect(messages.next()).rejects.toThrow('200 with application/json instead of a stream')
})
