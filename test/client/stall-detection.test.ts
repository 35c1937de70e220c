import { expect, test } from 'vitest'
import { NoResponseError } from '../../src/client/errors.ts'
import type { FetchInit, FetchResponse } from '../../src/client/fetch-like.ts'
import {
  fetchWithStallDetection,
  HEALTH_TIMEOUT,
  LONG_HEALTH_TIMEOUT,
  STALL_AFTER,
} from '../../src/client/stall-detection.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const HEALTH = 'http://127.0.0.1:7770/_psp/health'
const GET: FetchInit = { method: 'GET', headers: {} }

function reply(text: string): FetchResponse {
  return { status: 200, headers: new Headers(), body: null, text: async () => text }
}

function never<T>(signal: AbortSignal | undefined): Promise<T> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** A server that responds to a request when `answer` is called, and to health checks while it is alive. */
function rig(path = '/v1/public/payments') {
  const systemClock = manualSystemClock()
  const state = { alive: true, quiet: 0, asked: 0 }
  let answer = (_: FetchResponse) => {}
  const fetch = fetchWithStallDetection({
    timers: systemClock,
    health: HEALTH,
    onStall: () => {
      state.quiet++
    },
    fetch: (url, { signal }) => {
      if (url !== HEALTH) {
        return Promise.race([
          never<FetchResponse>(signal),
          new Promise<FetchResponse>((resolve) => {
            answer = resolve
          }),
        ])
      }
      state.asked++
      return state.alive ? Promise.resolve(reply('{}')) : never(signal)
    },
  })
  const call = fetch(`http://127.0.0.1:7770${path}`, GET)
  call.catch(() => {})
  return { systemClock, state, call, answer: (given: FetchResponse) => answer(given) }
}

test('a late response is awaited while the server is healthy, and reported once', async () => {
  const { systemClock, state, call, answer } = rig()
  await systemClock.advance(STALL_AFTER - 1)
  expect(state).toEqual({ alive: true, quiet: 0, asked: 0 })
  await systemClock.advance(10 * STALL_AFTER)
  expect(state).toEqual({ alive: true, quiet: 1, asked: 10 })
  answer(reply('late'))
  expect(await (await call).text()).toBe('late')
  expect(systemClock.waiting()).toBe(0)
})

test('a request fails if the server does not respond at all', async () => {
  const { systemClock, state, call } = rig()
  state.alive = false
  await systemClock.advance(STALL_AFTER + HEALTH_TIMEOUT)
  await expect(call).rejects.toBeInstanceOf(NoResponseError)
  expect(systemClock.waiting()).toBe(0)
})

test('a request fails if the server stops in the middle of its response', async () => {
  const { systemClock, state, call, answer } = rig()
  answer({ ...reply(''), text: () => never(undefined) })
  const text = (await call).text()
  text.catch(() => {})
  state.alive = false
  await systemClock.advance(STALL_AFTER + HEALTH_TIMEOUT)
  await expect(text).rejects.toBeInstanceOf(NoResponseError)
})

test('a route that is expected to be slow has a longer limit and is not reported', async () => {
  const { systemClock, state, call, answer } = rig('/_psp/clock/advance')
  state.alive = false
  await systemClock.advance(STALL_AFTER + LONG_HEALTH_TIMEOUT - 1)
  answer(reply('done'))
  expect(await (await call).text()).toBe('done')
  expect([state.quiet, systemClock.waiting()]).toEqual([0, 0])
})
