import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/audit/checks.ts'
import { audited, auditOf, ids, SECRET } from './rig.ts'
import { equal, hmac, partsOf, Refuse, RIGHT, shop } from './shop.ts'
import { WRONG_SHOPS } from './wrong-shops.ts'

const OF_ORDER = ['out_of_order', 'late_expiry']
const EFFECTS = ['duplicates', 'out_of_order', 'partial_refunds', 'late_expiry']

describe('a right handler', () => {
  test.each([
    ['balance', OF_ORDER],
    ['order', []],
    ['both', []],
  ] as const)('passes, seen by %s', async (probe, warned) => {
    const { report } = await audited({}, probe)
    expect(ids(report, 'fail')).toEqual([])
    expect(ids(report, 'warn')).toEqual(warned)
    expect(report).toMatchObject({ target: 'http://shop.test/hooks', failed: 0 })
    expect(report.passed + report.warned).toBe(CHECKS.length)
  })

  test('without a probe nothing is said of effects', async () => {
    const { report } = await audited({}, 'none')
    expect(ids(report, 'fail')).toEqual([])
    expect(ids(report, 'warn')).toEqual(EFFECTS)
    for (const { got, fix } of report.checks.filter(({ result }) => result === 'warn')) {
      expect(got).toContain('the effect was not seen')
      expect(fix).toContain('--probe')
    }
  })

  test('a probe that never moves judges nothing', async () => {
    const { report } = await audited({ handle() {} }, 'balance')
    expect(ids(report, 'warn')).toEqual(EFFECTS)
    expect(report.checks.at(-1)?.got).toContain('did not move')
  })

  test('with one order for all payments, its second payment may count for nothing', async () => {
    const made = shop(SECRET, () => Date.UTC(2026, 4, 6, 12), {
      handle({ event, data }, books) {
        if (event === 'payment.succeeded' && books.orderStatus(data.order_id) === undefined)
          books.received.set(data.id, { amount: data.amount, refunded: 0, order: data.order_id })
      },
    })
    const report = await auditOf(
      made.fetch,
      made,
      'balance',
      ['duplicates', 'out_of_order'],
      [],
      undefined,
      () => 'A-1',
    )
    expect(ids(report, 'fail')).toEqual([])
    expect(ids(report, 'warn')).toEqual(['duplicates', 'out_of_order'])
  })

  test('a value that refunds do not move says nothing of refunds', async () => {
    const { report } = await audited(
      {
        handle(event, books) {
          if (event.event === 'payment.succeeded' && !books.seen.has(event.id)) books.sum += event.data.amount
          books.seen.add(event.id)
        },
      },
      'balance',
    )
    expect([ids(report, 'fail'), ids(report, 'warn')]).toEqual([[], ['out_of_order', 'partial_refunds', 'late_expiry']])
  })

  test('a shop that counts paid orders passes', async () => {
    const { report } = await audited(
      {
        handle(event, books) {
          if (books.seen.has(event.data.id) || !/succeeded|refunded/.test(event.event)) return
          books.seen.add(event.data.id)
          books.sum += 1
        },
      },
      'balance',
    )
    expect(ids(report, 'fail')).toEqual([])
    expect(ids(report, 'warn')).toEqual(OF_ORDER)
  })
})

/** A handler with a sum and no orders: a probe of an order answers nothing, whatever is sent. */
const keepsOrders = (fault: string) => fault !== 'counts every delivery'

describe('a wrong handler is caught by its check, and by no other', () => {
  test('one per fault, at least twelve', () => {
    expect(new Set(WRONG_SHOPS.map(({ check }) => check)).size).toBeGreaterThanOrEqual(12)
  })

  test.each(WRONG_SHOPS)('it $fault: $check', async ({ fault, check, parts }) => {
    const { report } = await audited(parts, keepsOrders(fault) ? 'both' : 'balance')
    expect(ids(report, 'fail')).toEqual([check])
    const found = report.checks.find(({ id }) => id === check)
    for (const text of [found?.sent, found?.expected, found?.got, found?.why, found?.fix]) expect(text).toMatch(/\S{2}/)
  })

  test.each(WRONG_SHOPS.filter(({ check }) => ['duplicates', 'out_of_order', 'late_expiry'].includes(check)))(
    'seen by the state of an order: it $fault',
    async ({ fault, check, parts }) => {
      const { report } = await audited(parts, 'order')
      // A sum over all orders is nowhere to be seen in one of them.
      const seen = fault.startsWith('counts') ? [] : [check]
      expect(ids(report, 'fail')).toEqual(keepsOrders(fault) ? seen : EFFECTS)
    },
  )

  test('it remembers an event for as long as five deliveries take', async () => {
    const deliveries = new Map<string, number>()
    const { report } = await audited(
      {
        handle(event, books) {
          const before = deliveries.get(event.id) ?? 0
          deliveries.set(event.id, before + 1)
          if (before % 5 === 0 && event.event === 'payment.succeeded') books.sum += event.data.amount
        },
      },
      'balance',
    )
    expect(ids(report, 'fail')).toEqual(['duplicates'])
    expect(report.checks.find(({ id }) => id === 'duplicates')?.got).toContain('again moved the value +150000')
  })

  test('it verifies nothing: every forgery is named', async () => {
    const { report } = await audited({ verify() {} })
    const forgeries = CHECKS.filter(({ expect: wanted, mild }) => wanted === 'refused' && mild !== true)
    expect(ids(report, 'fail')).toEqual(forgeries.map(({ id }) => id))
    expect(ids(report, 'warn')).toEqual(['v1_only'])
  })

  test('it works first and verifies afterwards: its status is right and its effect is not', async () => {
    const made = shop(SECRET, () => 0)
    const { books } = made
    const hasty = shop(SECRET, () => Date.UTC(2026, 4, 6, 12), {
      verify(request, secret, now) {
        books.sum += 1
        RIGHT.verify(request, secret, now)
      },
    })
    const report = await auditOf(hasty.fetch, { books }, 'balance', ['tampered', 'unknown_event'])
    expect(report.checks[0]).toMatchObject({
      result: 'fail',
      got: expect.stringContaining('and yet it moved the value +1'),
    })
  })
})

describe('a handler that ends', () => {
  test('is told by the check that ended it, and the probe that ends with it is no fault of the probe', async () => {
    let down = false
    const made = shop(SECRET, () => Date.UTC(2026, 4, 6, 12))
    const fetch: typeof made.fetch = async (url, init) => {
      if (!down && !/[^\x20-\x7e]/.test(init.headers['X-PSP-Signature'] ?? '')) return await made.fetch(url, init)
      const code = down ? 'ECONNREFUSED' : 'ECONNRESET'
      down = true
      throw Object.assign(new Error('gone'), { code })
    }
    const report = await auditOf(fetch, made, 'balance', undefined, [], () => down)
    const [at, after] = [report.checks.findIndex(({ id }) => id === 'non_ascii_header'), report.checks.slice(6)]
    expect(at).toBe(5)
    expect(report.checks[at]).toMatchObject({ result: 'fail', got: expect.stringContaining('closed the connection') })
    for (const { result, fix } of after) {
      expect([result, fix]).toEqual(['skip', 'Fix non_ascii_header first: nobody listens since then.'])
    }
  })

  test('one that was never there is no audit at all', async () => {
    const made = shop(SECRET, () => 0)
    const fetch = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
    await expect(auditOf(fetch, made, 'none')).rejects.toThrow('nothing listens')
  })
})

describe('a warning', () => {
  test('2xx to its own failure', async () => {
    const { report } = await audited({ failure: () => 200 })
    expect(ids(report, 'warn')).toEqual(['broken_json'])
    expect(report.failed).toBe(0)
  })

  test('the legacy signature is taken too', async () => {
    const { report } = await audited({
      verify(request, secret, now) {
        const { sha256 } = partsOf(request.headers['x-psp-signature'])
        if (sha256 === undefined) RIGHT.verify(request, secret, now)
        else if (!equal(sha256, hmac(secret, request.body))) throw new Refuse(400)
      },
    })
    expect(ids(report, 'warn')).toEqual(['v1_only'])
    expect(report.failed).toBe(0)
  })

  test('refused by an error of its own', async () => {
    const { report } = await audited({
      verify(request, secret, now) {
        if (/[^\x20-\x7e]/.test(request.headers['x-psp-signature'] ?? '')) throw new RangeError('lengths differ')
        RIGHT.verify(request, secret, now)
      },
    })
    expect(ids(report, 'warn')).toEqual(['non_ascii_header'])
  })
})

describe('the cause of a refusal', () => {
  const known = [
    { secret: 'thm_audit_secret', kind: 'signing', label: 'shop Demo' },
    { secret: 'whs_before', kind: 'former', label: 'shop Demo' },
  ] as const
  const over = (signed: (t: string, body: Buffer) => (string | Buffer)[]) => ({
    verify({ headers, body }: { headers: Readonly<Record<string, string>>; body: Buffer }, secret: string) {
      const { t = '', v2 = '' } = partsOf(headers['x-psp-signature'])
      if (!equal(v2, hmac(secret, ...signed(t, body)))) throw new Refuse(401)
    },
  })
  const withSecret = (other: string) => ({
    verify: (request: Parameters<typeof RIGHT.verify>[0], _: string, now: number) => RIGHT.verify(request, other, now),
  })

  test.each([
    ['wrong_secret_kind', withSecret('thm_audit_secret')],
    ['rotated_secret', withSecret('whs_before')],
    ['missing_timestamp_prefix', over((_, body) => [body])],
    [
      'escaped_slash',
      over((t, body) => [`${t}.`, body.toString().replace(/\\.|\//gs, (found) => (found === '/' ? '\\/' : found))]),
    ],
    ['trailing_newline', over((t, body) => [`${t}.`, body, '\n'])],
    ['reserialised', over((t, body) => [`${t}.`, JSON.stringify(JSON.parse(body.toString()), null, 2)])],
    [
      'milliseconds',
      {
        verify(request: Parameters<typeof RIGHT.verify>[0], secret: string, now: number) {
          const { t = '', v2 = '' } = partsOf(request.headers['x-psp-signature'])
          if (Math.abs(now - Number(t)) > 300_000) throw new Refuse(400)
          if (!equal(v2, hmac(secret, `${t}.`, request.body))) throw new Refuse(400)
        },
      },
    ],
    [
      'v1_for_v2',
      {
        verify({ headers, body }: Parameters<typeof RIGHT.verify>[0], secret: string) {
          const { sha256 = '' } = partsOf(headers['x-psp-signature'])
          if (!equal(sha256, hmac(secret, body))) throw new Refuse(400)
        },
      },
    ],
  ] as const)('%s', async (cause, parts) => {
    const made = shop(SECRET, () => Date.UTC(2026, 4, 6, 12), parts)
    const report = await auditOf(made.fetch, made, 'none', ['valid'], known)
    expect(report.checks[0]).toMatchObject({ result: 'fail', fix: expect.stringMatching(`^${cause}: .+\\.$`) })
  })

  test('what follows from it points at it', async () => {
    const { report } = await audited(withSecret('whs_other'), 'none')
    for (const { id, result, fix } of report.checks) {
      if (result === 'fail' && id !== 'valid') expect(fix).toBe('Fix valid first: what is signed rightly is refused.')
    }
    expect(report.failed).toBe(11)
  })

  test('none of the usual ones', async () => {
    const made = shop(SECRET, () => 0, {
      verify() {
        throw new Refuse(403)
      },
    })
    const valid = (await auditOf(made.fetch, made, 'none', ['valid'], known)).checks[0]
    expect(valid?.fix).toContain('without login and CSRF token')
  })
})
