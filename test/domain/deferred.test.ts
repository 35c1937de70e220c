import { expect, test } from 'vitest'
import { deferred } from '../../src/domain/deferred.ts'

test('is settled from outside, once', async () => {
  const { promise, resolve, reject } = deferred<number>()
  resolve(1)
  reject(new Error('too late'))
  expect(await promise).toBe(1)
})

test('or rejected', async () => {
  const { promise, reject } = deferred()
  reject(new Error('no'))
  await expect(promise).rejects.toThrow('no')
})
