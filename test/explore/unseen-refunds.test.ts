// A handler that ignores refunds looks like a correct one if no probe shows refunds.
import { describe, expect, test } from 'vitest'
import { exploreChecks } from '../../src/explore/explore-checks.ts'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { exploreHandler, replayReport } from './handlers/explore-handler.ts'
import { createNamed, type Handler } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

const correct = () => createNamed(CORRECT_HANDLERS, 'merges')
const FEW = { maxMessages: 60 }

/** Responds 200 to refunds and ignores them. */
function ignoringRefunds(isIgnored: (refunded: number, amount: number) => boolean = () => true): Handler {
  const handler = correct()
  return {
    ...handler,
    handle: async (event) => {
      const { amount_refunded, amount } = event.data
      const isRefund = event.event === 'payment.refunded'
      return isRefund && isIgnored(amount_refunded, amount) ? 200 : await handler.handle(event)
    },
  }
}

/** Shows only some fields of the order, and no balance. */
const showing = (handler: Handler, ...fields: readonly string[]): Handler => ({
  ...handler,
  order(id) {
    const view = handler.order(id) as { readonly [field: string]: unknown } | undefined
    return view && Object.fromEntries(fields.map((field) => [field, view[field]]))
  },
  balance: () => 0,
})

describe('a handler that ignores refunds', () => {
  test('is a finding if the balance does not change with a full refund', async () => {
    const { findings, notJudged } = await exploreHandler(ignoringRefunds(), FEW)
    expect(findings).toMatchObject([
      {
        id: 'money',
        title: 'A full refund does not change $.balance of balance.',
        got: '$.balance of balance changed by 100000, as without the refund',
        expected: '$.balance of balance changes by 0',
        fix: expect.stringContaining('Handle payment.refunded'),
        deliveries: 2,
        steps: 3,
      },
    ])
    expect(notJudged).toEqual([])
  })

  test('is a finding if the refunded amount stays 0', async () => {
    const { findings } = await exploreHandler(showing(ignoringRefunds(), 'status', 'refunded'), FEW)
    expect(findings).toMatchObject([
      { title: 'A full refund does not change $.refunded of orders/{order_id}.', got: '$.refunded: 0' },
    ])
  })

  test('is a finding if only partial refunds are ignored', async () => {
    const handler = ignoringRefunds((refunded, amount) => refunded < amount)
    const { findings } = await exploreHandler(handler, { ...FEW, maxFindings: 1 })
    expect(findings).toMatchObject([
      {
        title: 'A partial refund does not change $.balance of balance.',
        expected: '$.balance of balance changes by 70000',
      },
    ])
  })

  test('is not judged on refunds if no field promises to show them', async () => {
    const { findings, notJudged } = await exploreHandler(showing(ignoringRefunds(), 'status', 'received'), FEW)
    expect(findings).toEqual([])
    expect(notJudged).toMatchObject([
      { what: 'balance' },
      {
        what: 'refunds',
        why: 'No probe changes if a payment is refunded in full.',
        fix: expect.stringContaining('"refunded":30000'),
      },
    ])
  })

  test('fails again if its finding is replayed, and passes after the fix', async () => {
    const { findings } = await exploreHandler(ignoringRefunds(), FEW)
    const [finding] = findings
    if (finding === undefined) throw new Error('no finding')
    expect((await replayReport(ignoringRefunds(), finding)).finding?.title).toBe(finding.title)
    expect((await replayReport(correct(), finding)).finding).toBeUndefined()
  })
})

test('a correct handler whose probe shows no refund is not judged on refunds, and nothing is found', async () => {
  const { findings, notJudged } = await exploreHandler(showing(correct(), 'received'), FEW)
  expect(findings).toEqual([])
  expect(notJudged.map(({ what }) => what)).toEqual(['balance', 'refunds'])
})

test('a correct handler with both probes has nothing that is not judged', async () => {
  expect((await exploreHandler(correct(), FEW)).notJudged).toEqual([])
})

test('a probe that never settles next to another one is reported as not judged, and the other one judges', async () => {
  let reads = 0
  const handler = { ...ignoringRefunds(), balance: () => ++reads }
  const { findings, notJudged, end } = await exploreHandler(handler, FEW)
  expect(end).toBe('deliveries')
  expect(findings).toMatchObject([{ title: 'A full refund does not change $.refunded of orders/{order_id}.' }])
  expect(notJudged).toMatchObject([
    {
      what: 'balance',
      why: 'It does not settle: its value differs at each read.',
      fix: expect.stringMatching(/^Probe a value/),
    },
  ])
})

test('fields that differ between two runs in order are reported as not judged', async () => {
  const handler = correct()
  let count = 0
  const orders = new Map<string, number>()
  const order = (id: string) => {
    const view = handler.order(id)
    if (view === undefined) return undefined
    if (!orders.has(id)) orders.set(id, ++count)
    return { ...(view as object), place: orders.get(id) }
  }
  const { notJudged } = await exploreHandler({ ...handler, order }, FEW)
  expect(notJudged).toMatchObject([
    { what: '$.place of orders/{order_id}', why: 'Two runs of the same story in order end with different values.' },
  ])
})

describe('the reports of an exploration', () => {
  test('have a warning for what was not judged', async () => {
    const report = await exploreHandler(showing(correct(), 'received'), FEW)
    const { checks, warned } = exploreChecks('http://shop.test', report)
    expect(warned).toBe(2)
    expect(checks.at(-1)).toMatchObject({
      id: 'probes',
      result: 'warn',
      got: 'refunds not judged: No probe changes if a payment is refunded in full.',
    })
  })

  test('warn at each rule that needs a probe if there is none', async () => {
    const report = await exploreHandler(correct(), { ...FEW, probes: 'none' })
    const { checks } = exploreChecks('http://shop.test', report)
    expect(checks.filter(({ result }) => result === 'pass').map(({ id }) => id)).toEqual(['availability'])
    expect(checks.filter(({ result }) => result === 'warn')).toHaveLength(6)
  })
})

test('the expected state of a false refund differs from the shown one', async () => {
  const { findings } = await exploreHandler(createNamed(PLANTED_BUGS, 'shows a part refund'), FEW)
  expect(findings).toMatchObject([{ got: '$.status: refunded', expected: '$.status: partly refunded' }])
})
