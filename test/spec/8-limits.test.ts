// Spec 8: the rate limit, as a token bucket on the wall clock. The limits of fields are with the bodies of section 4.
import { describe, expect, test } from 'vitest'
import { RefusalError } from '../../src/domain/errors.ts'
import { createRateGuard } from '../../src/http/guards/rate.ts'
import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('8 limits', openSandboxAdapter, casesOf('8'))

describe('8 rate limit', () => {
  /** Seconds to wait, or `undefined` where the request passed. */
  function bucket(perSecond: number) {
    let now = 1000
    const take = createRateGuard(() => now)
    return {
      pass(ms: number) {
        now += ms
      },
      take(merchant = 'm'): number | undefined {
        try {
          take(merchant, perSecond)
          return undefined
        } catch (error) {
          if (error instanceof RefusalError) return Number(error.headers['Retry-After'])
          throw error
        }
      },
    }
  }

  test('one second holds as many as the rate; then one comes back each 1/rate seconds', () => {
    const { take, pass } = bucket(5)
    expect(Array.from({ length: 5 }, () => take())).toEqual(Array(5).fill(undefined))
    expect(take()).toBe(1)
    pass(199)
    expect(take()).toBe(1)
    pass(1)
    expect(take()).toBeUndefined()
    expect(take()).toBe(1)
  })

  test('a long pause fills the bucket once, not twice', () => {
    const { take, pass } = bucket(2)
    // A merchant that never asked has no bucket yet.
    expect(take()).toBeUndefined()
    pass(60_000)
    expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
  })

  test('merchants do not share', () => {
    const { take } = bucket(1)
    expect([take('a'), take('a'), take('b')]).toEqual([undefined, 1, undefined])
  })

  test('however many others come, nobody who is over the limit gets a new bucket', () => {
    const { take, pass } = bucket(1)
    take()
    pass(500)
    for (let n = 0; n < 50_000; n++) take(`other ${n}`)
    expect(take()).toBe(1)
    pass(500)
    expect([take(), take()]).toEqual([undefined, 1])
    for (let n = 0; n < 50_000; n++) take(`another ${n}`)
    expect(take()).toBe(1)
  })

  test('0 is no limit', () => {
    const { take } = bucket(0)
    expect(Array.from({ length: 1000 }, () => take()).every((wait) => wait === undefined)).toBe(true)
  })
})
