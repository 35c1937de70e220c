import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { deferred, pause, resultUnlessAborted, unlessAborted, untilAborted } from '../../src/domain/promises.ts'

test('a deferred promise is resolved from outside, once', async () => {
  const { promise, resolve, reject } = deferred<number>()
  resolve(1)
  reject(new Error('too late'))
  expect(await promise).toBe(1)
})

test('a deferred promise is rejected from outside', async () => {
  const { promise, reject } = deferred()
  reject(new Error('no'))
  await expect(promise).rejects.toThrow('no')
})

const never = new Promise<never>(() => {})

describe('work with a signal', () => {
  test('unlessAborted returns the value and leaves no listener on the signal', async () => {
    const { signal } = new AbortController()
    expect(await unlessAborted(Promise.resolve(1), signal)).toBe(1)
    expect(await unlessAborted(Promise.resolve(2), undefined)).toBe(2)
    await expect(unlessAborted(Promise.reject(new Error('its fault')), signal)).rejects.toThrow('its fault')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('unlessAborted rejects with the reason of the signal, before and during the work', async () => {
    const controller = new AbortController()
    const during = unlessAborted(never, controller.signal)
    controller.abort(new Error('enough'))
    await expect(during).rejects.toThrow('enough')
    await expect(unlessAborted(never, controller.signal)).rejects.toThrow('enough')
    await expect(unlessAborted(Promise.reject(new Error('cut')), controller.signal)).rejects.toThrow('enough')
  })

  test('resultUnlessAborted resolves with undefined after an abort, and rejects if the work fails', async () => {
    const controller = new AbortController()
    const { signal } = controller
    expect(await resultUnlessAborted(Promise.resolve(1), signal)).toBe(1)
    await expect(resultUnlessAborted(Promise.reject(new Error('its fault')), signal)).rejects.toThrow('its fault')
    const during = resultUnlessAborted(never, signal)
    controller.abort()
    expect(await during).toBeUndefined()
    expect(await resultUnlessAborted(never, signal)).toBeUndefined()
  })

  test('untilAborted resolves at an abort, and at once if the signal is already aborted', async () => {
    const controller = new AbortController()
    const during = untilAborted(controller.signal)
    controller.abort()
    await during
    await untilAborted(controller.signal)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

describe('a pause', () => {
  /** Timers that fire only by hand. */
  function manualTimers() {
    const started: { readonly ms: number; readonly fire: () => void; isCancelled: boolean }[] = []
    return {
      started,
      setTimeout(fire: () => void, ms: number) {
        const timer = { ms, fire, isCancelled: false }
        started.push(timer)
        return {
          cancel() {
            timer.isCancelled = true
          },
        }
      },
    }
  }

  test('ends when its timer fires, and leaves no listener on the signal', async () => {
    const timers = manualTimers()
    const { signal } = new AbortController()
    const during = pause(250, timers, signal)
    expect(timers.started.map(({ ms }) => ms)).toEqual([250])
    timers.started[0]?.fire()
    await during
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  test('ends at an abort without its timer, and starts none if the signal is already aborted', async () => {
    const timers = manualTimers()
    const controller = new AbortController()
    const during = pause(250, timers, controller.signal)
    controller.abort()
    await during
    await pause(250, timers, controller.signal)
    expect(timers.started.map(({ isCancelled }) => isCancelled)).toEqual([true])
  })
})
