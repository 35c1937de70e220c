// Spec 8: the rate limit, a token bucket on the system clock. The limits of fields are tested with the bodies of section 4.
import { describe, expect, test } from 'vitest'
import { RefusalError } from '../../src/domain/errors.ts'
import { createRateGuard } from '../../src/http/guards/rate-limit.ts'
import { openSandboxAdapter } from '../contract/adapter.ts'
import { casesOf } from '../contract/cases.ts'
import { contractSuite } from '../contract/suite.ts'

contractSuite('8 limits', openSandboxAdapter, casesOf('8'))

describe('8 rate limit', () => {
  /** Returns the seconds to wait, or `undefined` if the request was allowed. */
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

  test('the bucket allows as many requests per second as the rate and then refills continuously', () => {
    const { take, pass } = bucket(5)
    expect(Array.from({ length: 5 }, () => take())).toEqual(Array(5).fill(undefined))
    expect(take()).toBe(1)
    pass(199)
    expect(take()).toBe(1)
    pass(1)
    expect(take()).toBeUndefined()
    expect(take()).toBe(1)
  })

  test('a long pause fills the bucket only once', () => {
    const { take, pass } = bucket(2)
    // A merchant without requests has no bucket yet.
    expect(take()).toBeUndefined()
    pass(60_000)
    expect([take(), take(), take()]).toEqual([undefined, undefined, 1])
  })

  test('merchants have separate buckets', () => {
    const { take } = bucket(1)
    expect([take('a'), take('a'), take('b')]).toEqual([undefined, 1, undefined])
  })

  test('a merchant over the limit keeps its bucket, regardless of the number of other merchants', () => {
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

  test('the rate 0 means no limit', () => {
    const { take } = bucket(0)
    expect(Array.from({ length: 1000 }, () => take()).every((wait) => wait === undefined)).toBe(true)
  })
})
