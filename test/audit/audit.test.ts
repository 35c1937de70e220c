import { describe, expect, test } from 'vitest'
import { CHECKS } from '../../src/audit/checks.ts'
import { audited, auditOf, auditOrders, ids, SECRET } from './fixtures.ts'
import { equal, hmac, partsOf, Refuse, RIGHT, shop } from './shop.ts'
import { WRONG_SHOPS } from './wrong-shops.ts'

const OF_ORDER = ['out_of_order', 'late_expiry']
const EFFECTS = ['duplicates', 'out_of_order', 'partial_refunds', 'late_expiry']

describe('a correct handler', () => {
  test.each([
    ['balance', OF_ORDER],
    ['order', []],
    ['both', []],
  ] as const)('passes if it is probed by %s', async (probe, warned) => {
    const { report } = await audited({}, probe)
    expect(ids(report, 'fail')).toEqual([])
    expect(ids(report, 'warn')).toEqual(warned)
    expect(report).toMatchObject({ target: 'http://shop.test/hooks', failed: 0 })
    expect(report.passed + report.warned).toBe(CHECKS.length)
  })

  test('gets a warning for each check of effects if there is no probe', async () => {
    const { report } = await audited({}, 'none')
    expect(ids(report, 'fail')).toEqual([])
    expect(ids(report, 'warn')).toEqual(EFFECTS)
    for (const { got, fix } of report.checks.filter(({ result }) => result === 'warn')) {
      expect(got).toContain('the effect was not seen')
      expect(fix).toContain('--probe')
    }
  })

  test('gets warnings if the probe never changes', async () => {
    const { report } = await audited({ handle() {} }, 'balance')
    expect(ids(report, 'warn')).toEqual(EFFECTS)
    expect(report.checks.at(-1)?.got).toContain('did not change')
  })

  test('may ignore the second payment of an order if all payments share one order', async () => {
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

  test('is not judged on refunds by a value that refunds do not change', async () => {
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

  test.each(['balance', 'refunded'])(
    'fails partial_refunds if refunds do not change the %s that it shows',
    async (field) => {
      const { checks } = await auditOrders(
        ({ event, data }, order) => {
          if (event !== 'payment.succeeded') return
          Object.assign(order, field === 'balance' ? { balance: data.amount } : { paid: data.amount, refunded: 0 })
        },
        ['orders/{order_id}'],
        ['partial_refunds'],
      )
      expect(checks).toMatchObject([
        {
          result: 'fail',
          got: expect.stringContaining(`the refunds do not change $.${field}`),
          fix: expect.stringMatching(/^Handle payment\.refunded/),
        },
      ])
    },
  )

  test('gets the advice to show refunds if no value shows them', async () => {
    const { report } = await audited(
      {
        handle(event, books) {
          if (event.event === 'payment.succeeded' && !books.seen.has(event.id)) books.sum += event.data.amount
          books.seen.add(event.id)
        },
      },
      'balance',
    )
    const { fix } = report.checks.find(({ id }) => id === 'partial_refunds') ?? expect.fail()
    expect(fix).toMatch(/^If the handler ignores payment\.refunded, handle it\. .*"refunded":30000/)
  })

  test('passes if it counts paid orders', async () => {
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

/** Returns false for a handler with a total and no orders: a probe of an order returns nothing. */
const keepsOrders = (bug: string) => bug !== 'counts every delivery'

describe('a faulty handler fails its check, and no other', () => {
  test('the faulty handlers cover at least twelve checks', () => {
    expect(new Set(WRONG_SHOPS.map(({ check }) => check)).size).toBeGreaterThanOrEqual(12)
  })

  test.each(WRONG_SHOPS)('a handler that $bug fails $check', async ({ bug, check, parts }) => {
    const { report } = await audited(parts, keepsOrders(bug) ? 'both' : 'balance')
    expect(ids(report, 'fail')).toEqual([check])
    const found = report.checks.find(({ id }) => id === check)
    for (const text of [found?.sent, found?.expected, found?.got, found?.why, found?.fix]) expect(text).toMatch(/\S{2}/)
  })

  test.each(WRONG_SHOPS.filter(({ check }) => ['duplicates', 'out_of_order', 'late_expiry'].includes(check)))(
    'the state of an order shows that a handler $bug',
    async ({ bug, check, parts }) => {
      const { report } = await audited(parts, 'order')
      // The state of one order does not show a total over all orders.
      const seen = bug.startsWith('counts') ? [] : [check]
      expect(ids(report, 'fail')).toEqual(keepsOrders(bug) ? seen : EFFECTS)
    },
  )

  test('a handler that forgets an event after five deliveries fails duplicates', async () => {
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
    expect(report.checks.find(({ id }) => id === 'duplicates')?.got).toContain('again changed the value +150000')
  })

  test('a handler that verifies nothing fails the check of every forgery', async () => {
    const { report } = await audited({ verify() {} })
    const forgeries = CHECKS.filter(({ expect: wanted, warnsOnly }) => wanted === 'reject' && warnsOnly !== true)
    expect(ids(report, 'fail')).toEqual(forgeries.map(({ id }) => id))
    expect(ids(report, 'warn')).toEqual(['v1_only'])
  })

  test('a handler that works before it verifies fails although its status is correct', async () => {
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
      got: expect.stringContaining('but it changed the value +1'),
    })
  })
})

describe('a handler that stops', () => {
  test('fails the check that stopped it, and its failing probe is not reported', async () => {
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
      expect([result, fix]).toEqual(['skip', 'Fix non_ascii_header first: nothing has listened since then.'])
    }
  })

  test('ends the audit with an error if it never ran', async () => {
    const made = shop(SECRET, () => 0)
    const fetch = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
    await expect(auditOf(fetch, made, 'none')).rejects.toMatchObject({
      name: 'TargetUnreachableError',
      message: 'Connection refused: nothing listens on shop.test. Is your server running?',
    })
  })
})

test('a probe that fails while the handler runs ends the audit with its error', async () => {
  const made = shop(SECRET, () => Date.UTC(2026, 4, 6, 12))
  const audit = auditOf(made.fetch, made, 'balance', undefined, [], () => true)
  await expect(audit).rejects.toMatchObject({
    name: 'ProbeError',
    message: 'nothing listens',
    hint: 'Start it.',
    isOfTarget: false,
  })
})

describe('a warning', () => {
  test('is reported if the handler responds 2xx after a failure', async () => {
    const { report } = await audited({ failure: () => 200 })
    expect(ids(report, 'warn')).toEqual(['broken_json'])
    expect(report.failed).toBe(0)
  })

  test('is reported if the handler also accepts the legacy signature', async () => {
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

  test('is reported if an internal error rejects the webhook', async () => {
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
    { secret: 'whs_before', kind: 'former_webhook', label: 'shop Demo' },
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
  ] as const)('is %s if only that mistake explains it', async (cause, parts) => {
    const made = shop(SECRET, () => Date.UTC(2026, 4, 6, 12), parts)
    const report = await auditOf(made.fetch, made, 'none', ['valid'], known)
    expect(report.checks[0]).toMatchObject({ result: 'fail', fix: expect.stringMatching(`^${cause}: .+\\.$`) })
  })

  test('makes the other failures point to the valid webhook', async () => {
    const { report } = await audited(withSecret('whs_other'), 'none')
    for (const { id, result, fix } of report.checks) {
      if (result === 'fail' && id !== 'valid') expect(fix).toBe('Fix valid first: a valid webhook is rejected.')
    }
    expect(report.failed).toBe(11)
  })

  test('falls back to advice on the status if no known mistake explains it', async () => {
    const made = shop(SECRET, () => 0, {
      verify() {
        throw new Refuse(403)
      },
    })
    const valid = (await auditOf(made.fetch, made, 'none', ['valid'], known)).checks[0]
    expect(valid?.fix).toContain('from login and CSRF protection')
  })
})
