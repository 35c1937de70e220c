import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jsonOf, psp, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let testServer: TestServer

beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

async function create(...more: string[]) {
  const ran = await testServer.psp(['payments', 'create', '--amount', '150000', '--json', ...more])
  return (jsonOf(ran) as { payment: { id: string } }).payment.id
}

describe('create', () => {
  test('`payments create --json` prints only the create response', async () => {
    const ran = await testServer.psp([
      'payments',
      'create',
      '--amount',
      '100',
      '--order-id',
      '42',
      '--metadata',
      'a=1',
      '--json',
    ])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(jsonOf(ran)).toMatchObject({ mode: 'test', payment: { order_id: '42', metadata: { a: '1' }, amount: 100 } })
    expect(ran.stdout.endsWith('}\n')).toBe(true)
  })

  test('`payments create` shows the id, the amount and the address of the page', async () => {
    const { stdout } = await testServer.psp('payments create --amount 150000 --method cards')
    expect(stdout).toMatch(/^payment +[0-9a-f-]{36}$/m)
    expect(stdout).toMatch(/^amount +1 500\.00 RUB$/m)
    expect(stdout).toMatch(/^pay at +http:\/\/127\.0\.0\.1:\d+\/pay\/[0-9a-f-]{36}$/m)
  })

  test('a payment whose status is final is shown without the link to its page', async () => {
    const { stdout } = await testServer.psp('payments create --amount 100 --outcome refused:insufficient_funds')
    expect(stdout).toMatch(/^status +failed$/m)
    expect(stdout).not.toContain('pay at')
  })

  test('--outcome chooses the plan, and the command reports a refusal or an error', async () => {
    const { code, stdout } = await testServer.psp('payments create --amount 100 --outcome refused:insufficient_funds')
    expect(code).toBe(0)
    expect(stdout).toContain('insufficient_funds')
    expect((await testServer.psp('payments create --amount 100 --outcome error:aml_blocked')).code).toBe(3)
    expect((await testServer.psp('payments create --amount 100 --outcome nonsense')).code).toBe(2)
  })

  test('each command that shows a payment warns about a metadata.simulate that is not a plan', async () => {
    const words = 'metadata.simulate "faild@30" is not a plan and was ignored. Did you mean failed@30s?'
    const slip = 'payments create --amount 100 --metadata simulate=faild@30'
    const made = await testServer.psp(`${slip} --json`)
    expect(made.stderr).toBe(`${words}\n`)
    const { id } = (jsonOf(made) as { payment: { id: string } }).payment
    expect((await testServer.psp(`payments get ${id}`)).stdout).toContain(`warning  ${words}`)
    expect((await testServer.psp(`payments get ${id} --json`)).stderr).toBe(`${words}\n`)
    expect((await testServer.psp(`${slip} --count 3`)).stderr).toContain(`${words}\n`)
    expect((await testServer.psp('payments create --amount 100 --metadata simulate=failed')).stdout).not.toContain(
      'warning',
    )
  })

  test('the same idempotency key returns the same payment, and refuses another body', async () => {
    const first = jsonOf(await testServer.psp('payments create --amount 100 --idempotency-key k1 --json'))
    const again = jsonOf(await testServer.psp('payments create --amount 100 --idempotency-key k1 --json'))
    expect(again).toEqual({ ...(first as object), idempotent: true })
    const other = await testServer.psp('payments create --amount 200 --idempotency-key k1 --json')
    expect([other.code, other.stdout]).toEqual([5, ''])
    expect(JSON.parse(other.stderr).error.code).toBe('idempotent_conflict')
  })

  test('--count creates many payments, and --json prints one response a line', async () => {
    const ran = await testServer.psp('payments create --amount 100 --count 20 --concurrency 4 --json')
    const ids = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).payment.id)
    expect(new Set(ids).size).toBe(20)
    expect((await testServer.psp('payments create --amount 100 --count 5')).stdout).toMatch(/^5 of 5 payments in /)
  })

  test('text of merchants reaches the terminal without escape sequences', async () => {
    const { stdout } = await testServer.psp([
      'payments',
      'create',
      '--amount',
      '100',
      '--order-id',
      '\u001b[2J\u0007evil',
    ])
    expect(stdout).toContain('evil')
    expect(stdout).not.toContain('\u001b')
  })

  test('`payments create --wait` ends when the status of the payment is final', async () => {
    const running = testServer.startPsp([
      'payments',
      'create',
      '--amount',
      '100',
      '--method',
      'sbp',
      '--outcome',
      'succeeded@15m',
      '--wait',
      '--json',
    ])
    let isEnded = false
    void running.ended.then(() => {
      isEnded = true
    })
    // An advance before the payment exists moves nothing. Most of the advances find the payment in `processing`.
    while (!isEnded) await testServer.psp('clock advance 10s')
    expect(jsonOf(await running.ended)).toMatchObject({ payment: { status: 'succeeded' } })
  })
})

test.each<[what: string, line: string, ended: object]>([
  [
    'payouts create',
    'payouts create --amount 100 --phone +79161234567 --bank-id 100000000111',
    { payout: { status: 'succeeded' } },
  ],
  [
    'payouts create with a refusal',
    'payouts create --amount 100 --phone +79161234567 --bank-id 100000000111 --outcome failed:recipient_not_found',
    { payout: { status: 'failed', fail_reason: 'recipient_not_found' } },
  ],
  ['payments refund', 'payments refund PAYMENT --outcome succeeded@1s', { status: 'succeeded' }],
  ['payments refund with a refusal', 'payments refund PAYMENT --outcome failed@1s', { status: 'failed' }],
])('`%s --wait` waits for the final status', async (_, line, ended) => {
  const start = async (...more: string[]) => {
    const id = await create()
    await testServer.psp(`payments pay ${id} --method sbp`)
    return testServer.startPsp([...line.replace('PAYMENT', id).split(' '), '--wait', ...more])
  }
  const [asJson, asText] = [await start('--json'), await start()]
  await waitUntil(() => asText.errors().includes('waiting for its final status; the clock is frozen'))
  let done = false
  const both = Promise.all([asJson.ended, asText.ended]).finally(() => {
    done = true
  })
  while (!done) await testServer.psp('clock advance 1s')
  const [json, text] = await both
  expect(JSON.parse(json.stdout)).toMatchObject(ended)
  expect(text.stdout).toMatch(/^status +(succeeded|failed)$/m)
})

describe('an existing payment', () => {
  test('a payment can be paid, refunded in part and in full, and then not again', async () => {
    const id = await create()
    expect(jsonOf(await testServer.psp(`payments pay ${id} --method sbp --json`))).toMatchObject({
      status: 'succeeded',
      method: 'sbp',
    })
    expect(
      jsonOf(await testServer.psp(['payments', 'refund', id, '--amount', '50000', '--reason', 'a b', '--json'])),
    ).toMatchObject({
      amount: 50_000,
      reason: 'a b',
    })
    // Spec 4.4: 0 refunds the whole remainder, like no amount.
    expect(jsonOf(await testServer.psp(`payments refund ${id} --amount 0 --json`))).toMatchObject({ amount: 100_000 })
    const third = await testServer.psp(`payments refund ${id}`)
    expect(third.code).toBe(5)
    expect(third.stderr).toContain('Nothing is left to refund')
    expect((await testServer.psp(`payments get ${id}`)).stdout).toMatch(/^status +refunded$/m)
  })

  test('`payments decline` shows the failure code', async () => {
    const id = await create()
    const { stdout } = await testServer.psp(`payments decline ${id} --code card_expired`)
    expect(stdout).toMatch(/^failure +card_expired/m)
  })

  test('`payments decline` accepts the codes of payouts, but does not suggest them', async () => {
    const id = await create()
    const { stdout } = await testServer.psp(`payments decline ${id} --code recipient_not_found`)
    expect(stdout).toMatch(/^failure +recipient_not_found/m)
    expect((await testServer.psp('payments decline --help')).stdout).not.toContain('recipient')
    expect((await testServer.psp(`payments decline ${id} --code recipient`)).stderr).not.toContain('recipient_')
  })

  test('`payments cancel` cancels a payment only once', async () => {
    const id = await create()
    expect(jsonOf(await testServer.psp(`payments cancel ${id} --json`))).toEqual({ status: 'cancelled' })
    const again = await testServer.psp(`payments cancel ${id}`)
    expect([again.code, again.stdout]).toEqual([5, ''])
  })

  test('`payments list` filters by order and prints pages', async () => {
    await create('--order-id', 'list-me')
    const page = jsonOf(await testServer.psp('payments list --order-id list-me --json')) as {
      items: unknown[]
      next_cursor: null
    }
    expect(page).toMatchObject({ items: [{ order_id: 'list-me' }], next_cursor: null })
    const first = await testServer.psp('payments list --limit 1')
    expect(first.stderr).toMatch(/--cursor \S+/)
    expect(first.stdout.trimEnd().split('\n')).toHaveLength(2)
  })
})

describe('exit codes', () => {
  test.each([
    [`payments get ${UNKNOWN_ID}`, 4],
    ['payments create --amount 100 --currency XXX', 2],
    ['payments create --amount 100 --return-url http://shop', 2],
    [`payments pay ${UNKNOWN_ID}`, 4],
    ['payments create --amount 100 --api-key sk_test_wrong0_key', 3],
  ])('`psp %s` exits with %d and two lines', async (line, code) => {
    const ran = await testServer.psp(line)
    expect([ran.code, ran.stdout]).toEqual([code, ''])
    expect(ran.stderr.trimEnd().split('\n')).toHaveLength(2)
  })

  test('a command without a server at --url exits with 6 and names the address', async () => {
    const ran = await psp('payments list --url http://localhost:1')
    expect(ran.code).toBe(6)
    expect(ran.stderr).toMatch(/127\.0\.0\.1:1.*\[::1\]:1|127\.0\.0\.1:1/)
  })

  test('a command exits with 1 if the server at --url responds with HTML', async () => {
    const { createServer } = await import('node:http')
    const other = createServer((_, response) => response.end('<html>hello</html>'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as { port: number }
    const ran = await psp(`payments get ${UNKNOWN_ID} --url 127.0.0.1:${port}`)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('instead of JSON')
    other.closeAllConnections()
    other.close()
  })
})

test('Ctrl-C during --count prints the progress and no error', async () => {
  const before = testServer.sandbox.engine.world.size('payments')
  const running = testServer.startPsp([
    'payments',
    'create',
    '--amount',
    '1',
    '--count',
    '100000',
    '--concurrency',
    '4',
  ])
  await waitUntil(() => testServer.sandbox.engine.world.size('payments') > before + 20)
  running.signal('SIGINT')
  const { code } = await running.ended
  // The program continues until the interrupted calls have failed.
  await waitUntil(() => running.output().includes('of 100000 payments'))
  expect(code).toBe(130)
  expect(running.errors()).not.toContain('error')
})

describe('an order id in the place of a payment id', () => {
  test.each(['get', 'refund', 'cancel', 'pay', 'decline', 'open'])(
    '`payments %s` with an order id suggests how to find the payment',
    async (name) => {
      for (const [id, word] of [
        ['ORDER-1', 'ORDER-1'],
        ['1001', '1001'],
        ["It's 1", "'It'\\''s 1'"],
      ] as const) {
        const more = name === 'decline' ? ['--code', 'card_expired'] : []
        const { code, stderr } = await testServer.psp(['payments', name, id, ...more])
        expect(code).toBe(4)
        expect(stderr).toContain(`There is no payment ${id}`)
        expect(stderr).toContain(`\`psp payments list --order-id ${word}\``)
      }
      const { code, stderr } = await testServer.psp([
        'payments',
        name,
        UNKNOWN_ID,
        ...(name === 'decline' ? ['--code', 'card_expired'] : []),
      ])
      expect(code).toBe(4)
      expect(stderr).toContain('`psp payments list`')
      expect(stderr).not.toContain('--order-id')
    },
  )

  test('an unknown id of a payout is named as typed', async () => {
    for (const line of ['payouts get PAYOUT-1', 'payouts settle PAYOUT-1 succeeded']) {
      const { code, stderr } = await testServer.psp(line)
      expect(code).toBe(4)
      expect(stderr).toContain('There is no payout PAYOUT-1')
      expect(stderr).toContain('`psp payouts list`')
    }
  })
})

describe('list', () => {
  test('`payments list` follows pages that the server limits by size', async () => {
    const own = await startTestServer()
    try {
      const { shop_id } = own.sandbox.defaultShop()
      const ids = Array.from({ length: 10 }, (_, i) => {
        const metadata = { filler: 'x'.repeat(1024 * 1024) }
        const input = { amount: i + 1, currency: 'RUB', method: 'sbp', order_id: `order-${i}`, metadata } as const
        const caller = { shop_id, mode: 'test' } as const
        return own.sandbox.engine.execute('create_payment', { caller, input }).object.id
      }).reverse()
      const listed = async (line: string) => jsonOf(await own.psp(`${line} --json`)) as Listed
      const all = await listed('payments list --limit 1000')
      expect([all.items.map(({ id }) => id), all.next_cursor]).toEqual([ids, null])
      const some = await listed('payments list --limit 9')
      expect(some.items.map(({ id }) => id)).toEqual(ids.slice(0, 9))
      const rest = await listed(`payments list --cursor ${some.next_cursor}`)
      expect([rest.items.map(({ id }) => id), rest.next_cursor]).toEqual([ids.slice(9), null])
      const { stdout, stderr } = await own.psp('payments list --limit 9')
      expect(stdout.match(/order-\d+/g)).toHaveLength(9)
      expect(stderr).toContain('There are more: --cursor ')
    } finally {
      await own.close()
    }
  })

  interface Listed {
    readonly items: readonly { readonly id: string }[]
    readonly next_cursor: string | null
  }
})
