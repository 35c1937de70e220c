import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { deferred, resultUnlessAborted, unlessAborted, untilAborted } from '../../src/domain/promises.ts'

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
