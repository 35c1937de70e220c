// The simple stories show what the fields of the probes mean, before the search looks for bugs.
import { describe, expect, test } from 'vitest'
import { TargetUnreachableError } from '../../src/audit/ports.ts'
import { HANDLE_REFUNDS } from '../../src/audit/refund-fields.ts'
import { learnFromSimpleStories } from '../../src/explore/learn-from-simple-stories.ts'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { CRASH, portsOf } from './handlers/explore-handler.ts'
import { createNamed, type Handler, type WebhookEvent } from './handlers/handler.ts'

const correct = () => createNamed(CORRECT_HANDLERS, 'merges')
const learn = (handler: Handler, amount = 100_000) => learnFromSimpleStories(portsOf(handler), amount)

/** Changes how a correct handler handles some events. */
function changed(fits: (event: WebhookEvent) => boolean, handle: () => Promise<number>): Handler {
  const handler = correct()
  return { ...handler, handle: async (event) => (fits(event) ? await handle() : await handler.handle(event)) }
}

const isRefund = ({ event }: WebhookEvent) => event === 'payment.refunded'
const isPart = ({ data }: WebhookEvent) => data.amount_refunded < data.amount

/** Changes the orders that a correct handler shows. */
function showing(
  show: (order: { status: string; received: number; refunded: number }) => unknown,
  handler = correct(),
) {
  return { ...handler, order: (id: string) => handler.order(id) && show(handler.order(id) as never) }
}

test('the states and sums of the fields are learned from eight stories with ten messages', async () => {
  const { meanings, ports: _, slowPorts: __, ...rest } = await learn(correct())
  expect(meanings.states).toEqual(
    new Map([
      [
        'orders/{order_id} $.status',
        new Map([
          ['paid', 'paid'],
          ['part_refunded', 'partly_refunded'],
          ['refunded', 'refunded'],
          ['failed', 'awaiting_payment'],
          ['expired', 'awaiting_payment'],
          ['cancelled', 'awaiting_payment'],
        ]),
      ],
    ]),
  )
  const idsOf = (numbers: typeof meanings.numbers) =>
    [...numbers].map(([path, fits]) => [path, fits.map(({ id }) => id)])
  expect(idsOf(meanings.numbers)).toEqual([
    ['orders/{order_id} $.received', ['received']],
    ['orders/{order_id} $.refunded', ['refunded']],
  ])
  expect(idsOf(meanings.shopNumbers)).toEqual([['balance $.balance', ['received minus refunded and paid out']]])
  expect(meanings.volatile).toEqual(new Set())
  expect(rest).toEqual({ lag: 0, sent: 10, failing: [], accepted: 8, silent: [], notJudged: [] })
})

test('a field whose value is a number, an id, an event, in a list or the last of several shows no state', async () => {
  const { meanings } = await learn(
    showing(({ status, received, refunded }) => ({
      status,
      code: status === 'paid' ? '7' : '-8.5',
      steps: [status],
      last_status: status,
      event: refunded > 0 ? 'payment.refunded' : 'payment.succeeded',
      currency: 'RUB',
      closed: received === 0,
    })),
  )
  expect([...meanings.states.keys()]).toEqual(['orders/{order_id} $.status', 'orders/{order_id} $.closed'])
})

test('a field that differs between two equal stories is not judged, and shows no state', async () => {
  let orders = 0
  const { meanings, notJudged } = await learn(showing((order) => ({ ...order, place: `p${++orders}` })))
  expect([...meanings.volatile]).toEqual(['orders/{order_id} $.place'])
  expect([...meanings.states.keys()]).toEqual(['orders/{order_id} $.status'])
  expect(notJudged.map(({ what }) => what)).toEqual(['$.place of orders/{order_id}'])
})

describe('a refund that the handler ignores', () => {
  const violation = (refund: string, path: string, probe: string, got: string, expected: string) => ({
    oracle: 'money',
    cause: `money ignores a ${refund}`,
    title: `A ${refund} does not change ${path} of ${probe}.`,
    got,
    expected,
    probe,
    fix: HANDLE_REFUNDS,
  })

  test('is a failure with the story of this refund', async () => {
    const { ignoredRefund, sent, notJudged } = await learn(changed(isRefund, async () => 200))
    expect(ignoredRefund?.violation).toEqual(
      violation(
        'full refund',
        '$.balance',
        'balance',
        '$.balance of balance changed by 100000, as without the refund',
        '$.balance of balance changes by 0',
      ),
    )
    expect(ignoredRefund?.case).toMatchObject({
      story: { steps: [{ do: 'create' }, { do: 'pay' }, { do: 'refund', percent: 0 }] },
      schedule: [[{ event: 'pay p1', copies: 1 }], [{ event: 'refund r1', copies: 1 }]],
      resendsAll: false,
    })
    expect([sent, notJudged]).toEqual([12, []])
  })

  test('is a partial refund if the handler handles full refunds', async () => {
    const { ignoredRefund } = await learn(
      changed(
        (event) => isRefund(event) && isPart(event),
        async () => 200,
      ),
    )
    expect(ignoredRefund?.violation).toMatchObject({
      cause: 'money ignores a partial refund',
      expected: '$.balance of balance changes by 70000',
    })
  })

  test.each([
    [0, '30000, or 300 in major units', '100000, or 1000 in major units'],
    ['0.00', '30000, or 300 in major units', '100000, or 1000 in major units'],
    [false, 'true', 'true'],
  ])('is found by a field of the order with the value %j', async (refunded, part, full) => {
    const handler = {
      ...showing(
        ({ status }) => ({ status, refunded }),
        changed(isRefund, async () => 200),
      ),
      balance: () => 1,
    }
    const found = (name: string, expected: string) => ({
      ...violation(name, '$.refunded', 'orders/{order_id}', `$.refunded: ${refunded}`, `$.refunded: ${expected}`),
      order: 'main',
    })
    expect((await learn(handler)).ignoredRefund?.violation).toEqual(found('full refund', full))
    const ofParts = showing(
      ({ status, refunded: sum }) => ({ status, refunded: sum === 100_000 ? sum : refunded }),
      changed(
        (event) => isRefund(event) && isPart(event),
        async () => 200,
      ),
    )
    expect((await learn({ ...ofParts, balance: () => 1 })).ignoredRefund?.violation).toEqual(
      found('partial refund', part),
    )
  })

  test('is not judged if no field says that it shows refunds', async () => {
    const handler = showing(
      ({ received }) => ({ received }),
      changed(isRefund, async () => 200),
    )
    const { ignoredRefund, notJudged } = await learn({ ...handler, balance: () => 1 })
    expect(ignoredRefund).toBeUndefined()
    expect(notJudged.map(({ what, why }) => `${what}: ${why}`)).toEqual([
      'balance: It did not change in any simple story.',
      'refunds: No probe changes if a payment is refunded in full.',
    ])
  })
})

describe('a handler that does not accept an event', () => {
  test('fails with the story of the event, and the other stories are learned', async () => {
    const { failing, accepted, sent } = await learn(changed(isRefund, async () => 500))
    expect(failing.map(({ violation, case: { story } }) => [violation.cause, story.steps.length])).toEqual([
      ['availability refuses payment.refunded 500', 3],
      ['availability refuses payment.refunded 500', 3],
    ])
    expect([accepted, sent]).toEqual([6, 2 + 2 * (1 + 9) + 4])
  })

  test('ends the lessons if it crashes', async () => {
    let isGone = false
    const { failing, accepted, silent, notJudged } = await learn({
      ...correct(),
      async handle(event) {
        if (isGone) return -1
        isGone = isRefund(event)
        return isGone ? CRASH : 200
      },
    })
    expect(failing.map(({ violation }) => violation.cause)).toEqual(['availability crashes on payment.refunded'])
    expect({ accepted, silent, notJudged }).toEqual({ accepted: 2, silent: [], notJudged: [] })
  })

  test('is not examined if nothing listens', async () => {
    await expect(
      learn(
        changed(
          () => true,
          async () => -1,
        ),
      ),
    ).rejects.toThrow(new TargetUnreachableError('nothing listens'))
  })
})

test('the lessons need one order for each story', async () => {
  let left = 7
  const ports = { ...portsOf(correct()), order: async () => (left-- > 0 ? `order-${left}` : undefined) }
  await expect(learnFromSimpleStories(ports, 1000)).rejects.toMatchObject({
    name: 'OrdersExhaustedError',
    message: 'The orders ran out.',
  })
})

test('lessons whose time is over have no later story', async () => {
  const counts: number[] = []
  const { accepted, sent } = await learnFromSimpleStories(portsOf(correct()), 1000, 1, (count) => counts.push(count))
  expect(counts).toEqual([sent])
  expect(accepted).toBe(1)
})
