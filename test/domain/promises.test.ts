import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { deferred, unlessAborted } from '../../src/domain/promises.ts'

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
})
