// "Send again" for many deliveries: the progress while they are sent, and one message at the end.
import { expect, it } from 'vitest'
import { ApiError, NoResponseError } from '../../src/client/errors.ts'
import { resendMany } from '../../src/dashboard/state/resend-many.ts'

interface Progress {
  readonly finished: number
  readonly total: number
  stop(): void
}

interface Page {
  readonly timers: ReadonlyMap<() => void, number>
  readonly progress: readonly (Progress | undefined)[]
}

/** @param retry the result of one delivery: the status of its attempt, or an error */
async function resend(ids: readonly string[], retry: (id: string, page: Page) => unknown) {
  const sent: string[] = []
  const shown: unknown[] = []
  const progress: (Progress | undefined)[] = []
  /** The timers that wait, which a test runs itself. */
  const timers = new Map<() => void, number>()
  const page = { timers, progress }
  await resendMany(ids, {
    async retry(id) {
      sent.push(id)
      const result = await retry(id, page)
      if (result instanceof Error) throw result
      return { attempts: [{ status: 500 }, { status: 500 }, { status: result }] as never }
    },
    store: {
      setProgress: (value) => void progress.push(value),
      toast: (toast) => void shown.push(toast),
      fail: (error, text) => void shown.push({ error, text }),
    },
    t: (key, values = {}) => [key, ...Object.entries(values).map(([name, value]) => `${name}=${value}`)].join(' '),
    timers: {
      setTimeout(run, ms) {
        timers.set(run, ms)
        return { cancel: () => void timers.delete(run) }
      },
    },
  })
  return { sent, shown, ...page }
}

it('a message counts the deliveries that were sent, in their order', async () => {
  const { sent, shown, progress } = await resend(['a', 'b', 'c'], () => 204)
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(shown).toEqual([{ text: 'done_resent count=3 failed=0', hasFailed: false }])
  expect(progress).toEqual([undefined])
})

it('an attempt that the receiver did not accept, or that got no response, counts as failed', async () => {
  const { shown } = await resend(['a', 'b', 'c', 'd'], (id) => ({ a: 200, b: 503, c: undefined, d: 299 })[id])
  expect(shown).toEqual([{ text: 'done_resent_failed count=4 failed=2', hasFailed: true }])
})

it('the message lists the reasons why the server refused, with their counts', async () => {
  const refusal = (message: string) => new ApiError(409, 'not_allowed', message)
  const { shown } = await resend(['a', 'b', 'c'], (id) => (id === 'c' ? 200 : refusal('The endpoint is not active.')))
  expect(shown).toEqual([{ text: 'done_resent count=1 failed=0 2: The endpoint is not active.', hasFailed: true }])
})

it('a lost connection ends the work with its error', async () => {
  const error = new NoResponseError()
  const { shown } = await resend(['a'], () => error)
  expect(shown).toEqual([{ error, text: 'done_resent count=0 failed=0' }])
})

it('the progress is shown every 100 ms, and its button stops before the next delivery', async () => {
  const ids = Array.from({ length: 20 }, (_, n) => `dlv-${n}`)
  const { sent, shown, progress, timers } = await resend(ids, (id, page) => {
    if (id === 'dlv-0') {
      expect([...page.timers.values()]).toEqual([100])
      for (const run of page.timers.keys()) run()
    }
    if (id === 'dlv-9') page.progress[0]?.stop()
    return 200
  })
  expect(progress).toEqual([{ finished: 0, total: 20, stop: expect.any(Function) }, undefined])
  expect(timers.size).toBe(1)
  expect(sent.length).toBeGreaterThanOrEqual(10)
  expect(sent.length).toBeLessThan(14)
  expect(shown).toEqual([{ text: `stopped done_resent count=${sent.length} failed=0`, hasFailed: false }])
})
