import { expect, test } from 'vitest'
import { deferred } from '../../src/domain/promises.ts'

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
