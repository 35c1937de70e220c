import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError } from '../../src/client/errors.ts'
import type { SingleCall } from '../../src/view-model/effect.ts'
import { eachText, NothingToDoError, runEach, type Tally } from '../../src/view-model/feed/run-each.ts'

const callsOf = (count: number): SingleCall[] =>
  Array.from({ length: count }, (_, index) => ({ do: 'pay', id: `p${index}` }))
const idOf = (call: SingleCall) => ('id' in call ? call.id : '')
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
const explain = (error: unknown) => (error as Error).message

async function run(
  count: number,
  perform: (call: SingleCall) => Promise<unknown>,
  {
    signal = new AbortController().signal,
    onProgress = () => {},
  }: { signal?: AbortSignal; onProgress?(t: Tally): void } = {},
): Promise<string> {
  return eachText(await runEach(callsOf(count), { perform, signal, onProgress, nextTurn }), explain)
}

describe('an action on several rows', () => {
  it('performs every call, with at most four requests in flight', async () => {
    let inFlight = 0
    let most = 0
    const ids: string[] = []
    const text = await run(30, async (call) => {
      most = Math.max(most, ++inFlight)
      await nextTurn()
      ids.push(idOf(call))
      inFlight--
    })
    expect([most, new Set(ids).size, text]).toEqual([4, 30, '30 of 30 done.'])
  })

  it('counts the refused rows by reason, and performs the other calls', async () => {
    const text = await run(2000, async (call) => {
      if (idOf(call) === 'p7') throw new ApiError(404, 'not_found', 'No such payment.')
      if (idOf(call).endsWith('99')) throw new ApiError(409, 'conflict', 'It is already paid.')
    })
    expect(text).toBe('1,979 of 2,000 done. 21 were refused. 20: It is already paid. 1: No such payment.')
  })

  it('counts a row with nothing to do as refused, and performs the other calls', async () => {
    const text = await run(3, async (call) => {
      if (idOf(call) === 'p0') throw new NothingToDoError('This object has no webhook event yet.')
    })
    expect(text).toBe('2 of 3 done. 1 was refused: This object has no webhook event yet.')
  })

  it('names the reason without a count if it is the only one', async () => {
    const refuse = () => Promise.reject(new ApiError(409, 'conflict', 'It is already paid.'))
    expect(await run(3, refuse)).toBe('0 of 3 done. 3 were refused: It is already paid.')
  })

  it('reports progress at the start and after each call', async () => {
    const seen: number[] = []
    await run(3, async () => {}, { onProgress: ({ finished }) => seen.push(finished) })
    expect(seen).toEqual([0, 1, 2, 3])
  })

  it('sends no further request after it was stopped, and waits for those in flight', async () => {
    const controller = new AbortController()
    let ended = 0
    const text = await run(
      10_000,
      async () => {
        await nextTurn()
        if (++ended === 10) controller.abort()
      },
      { signal: controller.signal },
    )
    expect(ended).toBeLessThanOrEqual(13)
    expect(text).toBe(`Stopped: ${ended} of 10,000 done.`)
  })

  it('stops at an error that every further row would have', async () => {
    for (const error of [
      new ConnectionError('http://x/', new Error('refused')),
      new ApiError(403, 'forbidden', 'The view token only allows reading.'),
      new ApiError(503, 'unavailable', 'The disk is full.'),
    ]) {
      let calls = 0
      const text = await run(1000, async () => {
        calls++
        if (calls > 20) throw error
      })
      expect(calls).toBeLessThan(30)
      expect(text).toBe(`Stopped: 20 of 1,000 done. ${error.message}`)
    }
  })
})
