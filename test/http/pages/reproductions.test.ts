// The command and the test to copy from the panel. test/e2e/copied-test.test.ts runs the test to copy.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { asCommand, asTest } from '../../../src/http/pages/reproductions.ts'
import { createPageFixture, type PageFixture } from './fixtures.ts'

const run = promisify(execFile)

let pages: PageFixture
afterEach(() => pages.sandbox.close())

/** Ends a payment as `act` says, and returns its row. */
async function ended(body: object, part: string, fields: Record<string, string>) {
  pages = await createPageFixture()
  const id = await pages.create(body)
  await pages.post(id, part, fields)
  await pages.sandbox.timeline.advance({ by: fields['quick'] === 'no_response' ? 20 * 60_000 : 0 })
  const row = pages.sandbox.engine.world.get('payments', id)
  if (row === undefined) throw new Error(id)
  return row
}

describe('a payment as a command', () => {
  it.each([
    [{ method: 'sbp' }, { act: 'approve' }, '--amount 150000 --method sbp --order-id A-1 --outcome succeeded'],
    [
      { description: "It's 5 ₽; rm -rf $HOME", method: 'cards' },
      { act: 'decline', code: 'card_lost' },
      `--amount 150000 --method cards --order-id A-1 --description 'It'\\''s 5 ₽; rm -rf $HOME' --outcome failed:card_lost`,
    ],
    [
      { method: 'tpay', currency: 'USD' },
      { quick: 'no_response' },
      '--amount 150000 --currency USD --method tpay --order-id A-1 --outcome pending\npsp clock advance 21m',
    ],
  ] as [object, Record<string, string>, string][])(
    'the payment %j after %j has the expected command',
    async (body, fields, text) => {
      expect(asCommand(await ended(body, 'act', fields), 'psp')).toBe(`psp payments create ${text}`)
    },
  )

  it('the command of a pending payment has its plan', async () => {
    pages = await createPageFixture()
    const commandOf = async (body: object) => {
      const row = pages.sandbox.engine.world.get('payments', await pages.create(body))
      return row === undefined ? '' : asCommand(row, 'psp')
    }
    expect(await commandOf({})).toBe('psp payments create --amount 150000 --order-id A-1')
    expect(await commandOf({ amount: 10_051 })).toContain(' --outcome failed:insufficient_funds')
    expect(await commandOf({ metadata: { simulate: 'pending' }, webhook_url: 'http://a.example/h?token=1' })).toBe(
      'psp payments create --amount 150000 --order-id A-1 --webhook-url http://a.example/h --outcome pending',
    )
  })

  it('a shell reads the quoted words as they are', async () => {
    const description = `a 'b' "c" $(d) \`e\` \\ f\n-- ₽`
    const row = await ended({ description }, 'act', { act: 'approve' })
    const { stdout } = await run('sh', ['-c', asCommand(row, 'psp').replace('psp', 'printf "%s|"')])
    expect(stdout.split('|')).toContain(description)
  })

  it('the panel and its commands name psp as it was started, and so does the health of the server', async () => {
    pages = await createPageFixture({ pspCommand: 'npx psp' })
    const id = await pages.create({ method: 'cards' })
    await pages.post(id, 'act', { quick: 'no_response' })
    const page = await pages.open(id)
    expect(page).toContain('data-copy-text="npx psp payments create --amount 150000')
    expect(page).toContain('<code>npx psp clock advance</code>')
    expect(await pages.open(id, '?lang=ru')).toContain('<code>npx psp clock advance</code>')
    await pages.sandbox.timeline.advance({ by: 20 * 60_000 })
    expect(await pages.open(id)).toContain('\nnpx psp clock advance 21m"')
    expect(await (await pages.ask('/_psp/health')).json()).toMatchObject({ command: 'npx psp' })
    const cancelled = { ...(await ended({}, 'act', { act: 'approve' })), status: 'cancelled' as const }
    expect(asCommand(cancelled, 'npx psp')).toMatch(/\n# Then: npx psp payments cancel <id>$/)
  })
})

describe('a payment as a test', () => {
  const testText = (
    title: string,
    start: string,
    body: string,
    options: string,
    call: string,
    rest: readonly string[],
  ) =>
    [
      "import assert from 'node:assert/strict'",
      "import { test } from 'node:test'",
      "import { startSandbox } from 'psp-sandbox/testing'",
      '',
      `test("the payment of order ${title}", async (t) => {`,
      `  const psp = await startSandbox({ clock: 'frozen'${start} })`,
      '  t.after(() => psp.close())',
      `  const { payment } = await psp.payments.create(${body}${options})`,
      `  ${call}`,
      ...rest,
      '})',
      '',
    ].join('\n')
  const waitFor = (event: string, order: string) => [
    `  const event = await psp.waitFor('payment.${event}', { order_id: ${JSON.stringify(order)} })`,
    '  assert.equal(event.data.id, payment.id)',
  ]

  it('the test of a failed payment creates it with its fields, and expects its failure code', async () => {
    const body = { method: 'cards', currency: 'USD', order_id: 'A "7"', description: 'Two', webhook_url: 'http://a/' }
    const row = await ended({ ...body, return_url: 'https://shop.example/' }, 'act', {
      act: 'decline',
      code: 'card_lost',
    })
    const given =
      '{"amount":150000,"currency":"USD","method":"cards","order_id":"A \\"7\\"","description":"Two","return_url":"https://shop.example/"}'
    expect(asTest(row)).toBe(
      testText('A \\"7\\": failed', '', given, ', { outcome: "failed:card_lost" }', "await psp.clock.advance('10s')", [
        ...waitFor('failed', 'A "7"'),
        '  assert.equal(event.data.metadata.failure_code, "card_lost")',
      ]),
    )
  })

  it('the test of a pending payment names only what is not a default, and has the default outcome', async () => {
    pages = await createPageFixture()
    const rowOf = async (body: object) => {
      const row = pages.sandbox.engine.world.get('payments', await pages.create(body))
      if (row === undefined) throw new Error('no payment')
      return row
    }
    const given = '{"amount":150000,"order_id":"A-1"}'
    const wait = "await psp.clock.advance('10s')"
    const succeeded = waitFor('succeeded', 'A-1')
    expect(asTest(await rowOf({}))).toBe(testText('A-1: succeeded', '', given, '', wait, succeeded))
    // The clock moves only 10 s, so the outcome has no delay.
    expect(asTest(await rowOf({ metadata: { simulate: 'succeeded@30s' } }))).toBe(
      testText('A-1: succeeded', '', given, ', { outcome: "succeeded" }', wait, succeeded),
    )
    expect(asTest(await rowOf({ metadata: { simulate: 'requires_action' } }))).toBe(
      testText(
        'A-1: succeeded',
        '',
        given,
        ', { outcome: "requires_action" }',
        'await psp.payments.pay(payment.id)',
        succeeded,
      ),
    )
    expect(asTest(await rowOf({ metadata: { simulate: 'pending' } }))).toBe(
      testText('A-1: expired', '', given, ', { outcome: "pending" }', "await psp.clock.advance('21m')", [
        ...waitFor('expired', 'A-1'),
        '  assert.equal(event.data.metadata.failure_code, "session_timeout")',
      ]),
    )
  })

  it('the test of an expired link waits a day, and that of a cancelled payment cancels it', async () => {
    const expired = await ended({}, 'act', { act: 'expire' })
    const given = '{"amount":150000,"order_id":"A-1"}'
    const outcome = ', { outcome: "requires_action" }'
    expect(asTest(expired)).toBe(
      testText('A-1: expired', '', given, outcome, "await psp.clock.advance('24h')", [
        ...waitFor('expired', 'A-1'),
        '  assert.equal(event.data.metadata.failure_code, "link_expired")',
      ]),
    )
    expect(asTest({ ...expired, status: 'cancelled' })).toBe(
      testText(
        'A-1: cancelled',
        '',
        given,
        outcome,
        'await psp.payments.cancel(payment.id)',
        waitFor('cancelled', 'A-1'),
      ),
    )
  })

  it.each(['http://localhost:3000/', 'HTTP://localhost:3000/'])(
    'the sandbox of the test accepts the return address %s of the payment',
    async (return_url) => {
      pages = await createPageFixture({ settings: { http_return_url: true } })
      const row = pages.sandbox.engine.world.get('payments', await pages.create({ return_url }))
      if (row === undefined) throw new Error('no payment')
      expect(asTest(row)).toContain(
        "  const psp = await startSandbox({ clock: 'frozen', settings: { http_return_url: true } })\n",
      )
      expect(asTest(row)).toContain(`"return_url":"${return_url}"`)
    },
  )
})
