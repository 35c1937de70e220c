// The tables and lines of commands, also on a terminal of 80 columns.
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectText } from '../../src/cli/output/lines.ts'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { startReceiver, startTestServer, type TestReceiver, type TestServer, waitUntil } from './helpers.ts'

describe('tables', () => {
  let testServer: TestServer
  let app: TestReceiver

  beforeAll(async () => {
    testServer = await startTestServer()
    app = await startReceiver()
    await testServer.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
    await testServer.psp('trigger payment.succeeded')
    await testServer.psp('trigger payment.refunded')
  })
  afterAll(async () => {
    await testServer.close()
    await app.close()
  })

  const head = async (line: string) => (await testServer.psp(line)).stdout.split('\n')[0]

  test('the headings of times name the zone', async () => {
    expect(await head('payments list')).toContain('created (UTC)')
    expect(await head('events list')).toContain('created (UTC)')
    expect(await head('keys list')).toContain('created (UTC)')
  })

  test('`deliveries list` shows the object and the time of the last attempt', async () => {
    const [title = '', first = ''] = (await testServer.psp('webhooks deliveries list')).stdout.split('\n')
    expect(title).toMatch(/delivery +event +status +tries +response +last try \(UTC\) +object +url/)
    expect(first).toMatch(/ 1 +200 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +[0-9a-f-]{36} +http/)
  })

  test('`events replay` prints aligned columns', async () => {
    const { stdout } = await testServer.psp('events replay --since 1h')
    const [title = '', ...rows] = stdout.trimEnd().split('\n')
    expect(rows.length).toBeGreaterThan(2)
    for (const row of rows) expect(row.indexOf('http://')).toBe(title.indexOf('url'))
  })

  describe('--since after the clock was moved', () => {
    test.each(['events replay --since 10m', 'events list --since 10m'])(
      '`psp %s` explains the time that --since counts',
      async (line) => {
        await testServer.psp('clock advance 20m')
        const { code, stderr } = await testServer.psp(line)
        expect(code).toBe(0)
        expect(stderr).toMatch(
          /--since counts the sandbox's time, which is now \d{4}-\S+ \S+ UTC\. The newest event was at \d{4}-\S+ \S+ UTC\./,
        )
      },
    )
  })

  test('`psp logs` shows an unknown field of a request below the request', async () => {
    const reply = await fetch(`${testServer.url}/v1/public/payments`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${DEFAULT_SHOP.api_key}` },
      body: JSON.stringify({ amount: 100, retrun_url: 'https://shop.example' }),
    })
    expect(reply.status).toBe(201)
    const { stdout } = await testServer.psp('logs --path /v1/public/payments --limit 1')
    expect(stdout.split('\n')[1]).toBe(
      `${' '.repeat(14)}unknown field "retrun_url" was ignored, did you mean return_url?`,
    )
  })

  test('`payouts create` to a magic phone shows the planned failure', async () => {
    const { stdout } = await testServer.psp('payouts create --amount 50000 --phone +70000000014 --bank-id 100000000111')
    expect(stdout).toMatch(/planned +failed:recipient_not_found \(magic phone 14\)/)
  })

  test('the error of a setting says how to restore the default', async () => {
    for (const name of ['default_outcome', 'http_return_url']) {
      const { stderr } = await testServer.psp(`settings set ${name}=`)
      expect(stderr).toContain(`\`psp settings set ${name}=null\` restores the default`)
    }
  })

  test('the error of an http return_url names the command that allows it', async () => {
    const { stderr } = await testServer.psp('payments create --amount 100 --return-url http://localhost:3000/back')
    expect(stderr).toContain('`psp settings set http_return_url=true`')
  })

  test.each(['shops list', 'events list', 'payments list', 'webhooks deliveries list', 'payments get PAYMENT'])(
    '`psp %s` keeps its lines within 80 columns',
    async (line) => {
      const { items } = JSON.parse((await testServer.psp('payments list --json')).stdout)
      const { code, stdout } = await testServer.psp(line.replace('PAYMENT', items[0].id), {
        terminal: true,
        columns: 80,
      })
      expect(code).toBe(0)
      for (const each of stdout.split('\n')) expect(stripVTControlCharacters(each).length).toBeLessThanOrEqual(80)
    },
  )

  describe('at 80 columns', () => {
    const narrow = (line: string) => testServer.psp(`${line} --color never`, { terminal: true, columns: 80 })

    test.each([
      ['payments list', ['payment', 'status', 'amount', 'method', 'order', 'created (UTC)'], 'payments get'],
      ['events list', ['event', 'name', 'object', 'created (UTC)', 'about'], 'events get'],
      [
        'webhooks deliveries list',
        ['delivery', 'event', 'status', 'tries', 'response', 'last (UTC)', 'object'],
        'webhooks deliveries get',
      ],
    ])('`psp %s` shortens ids and times before it omits a column', async (line, titles, get) => {
      const { stdout } = await narrow(line)
      const [title = '', first = ''] = stdout.split('\n')
      expect(title.split(/ {2,}/)).toEqual(titles)
      for (const row of stdout.split('\n')) expect(row.length).toBeLessThanOrEqual(80)
      expect((await testServer.psp(`${get} ${first.split(' ')[0]}`)).code).toBe(0)
    })

    test('`psp events list` ends a shortened text with an ellipsis', async () => {
      const { items } = JSON.parse((await testServer.psp('events list --json')).stdout)
      const { stdout } = await narrow('events list')
      const [title = '', ...rows] = stdout.trimEnd().split('\n')
      expect(rows).toHaveLength(items.length)
      for (const [at, { data, event }] of items.entries()) {
        const shown = rows[at]?.slice(title.indexOf('about')) ?? ''
        const whole = objectText(event, data).join(' ')
        expect(shown).toBe(`${whole.slice(0, shown.length - 1)}…`)
        expect(shown.length).toBeGreaterThanOrEqual(12)
      }
    })

    test('`psp settings` names a command that shows a setting with all columns', async () => {
      const { stderr } = await narrow('settings')
      expect(stderr.replaceAll('\n', ' ')).toContain('or use `psp settings NAME`')
      const { stdout } = await narrow('settings http_return_url')
      for (const title of ['setting', 'value', 'default', 'from', 'about'])
        expect(stdout).toMatch(new RegExp(`^${title} `, 'm'))
    })

    test('`settings set` prints a setting as it is typed, without quotes', async () => {
      expect((await testServer.psp('settings set http_return_url=true')).stdout).toBe('http_return_url = true\n')
      expect((await testServer.psp('settings set delays.bank=2s')).stdout).toBe('delays.bank = 2s\n')
    })
  })

  test('a list truncates a long value, and `payments get` shows it whole', async () => {
    const order = 'o'.repeat(5000)
    await testServer.psp(['trigger', 'payment.succeeded', '--set', `order_id=${order}`])
    const { id } = JSON.parse((await testServer.psp('payments list --json --limit 1')).stdout).items[0]
    for (const line of ['payments list', 'events list']) {
      const { stdout } = await testServer.psp(line)
      expect(stdout).toMatch(/o{60,}…/)
      for (const row of stdout.split('\n')) expect(row.length).toBeLessThan(400)
    }
    expect((await testServer.psp(`payments get ${id}`)).stdout).toContain(order)
  })
})

describe('a terminal of 80 columns', () => {
  let testServer: TestServer
  let app: TestReceiver
  const ORDER = 'очень-длинный-заказ-номер-1234567890-abcdefghijklmnop'
  const NARROW = { terminal: true, columns: 80 }

  beforeAll(async () => {
    testServer = await startTestServer()
    app = await startReceiver()
    const { stdout } = await testServer.psp(`payments create --amount 150000 --order-id ${ORDER} --json`)
    await testServer.psp('clock advance --until-idle')
    await testServer.psp(`payments refund ${JSON.parse(stdout).payment.id} --amount 100`)
  })
  afterAll(async () => {
    await testServer.close()
    await app.close()
  })

  const rowsOf = (text: string) =>
    text
      .split('\n')
      .map((row) => stripVTControlCharacters(row))
      .filter((row) => row !== '')

  /** Expects each row within 80 columns and each word whole. */
  function expectWhole(text: string, words: readonly RegExp[]): void {
    const rows = rowsOf(text)
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
    for (const word of words) expect(rows.some((row) => word.test(row))).toBe(true)
    for (const row of rows) expect(row).toMatch(/^(\d\d:\d\d:\d\d\.\d{3} {2}\S| {14}\S)/)
  }

  test('`psp logs` prints the status before the path, and does not break the path', async () => {
    const { stdout } = await testServer.psp('logs --path /v1/public/payments', NARROW)
    expectWhole(stdout, [/^\S+ {2}201 {2}POST {3}\/v1\/public\/payments\/[0-9a-f]{8}-…\/refund /])
  })

  test('`psp tail` keeps words whole and lines within 80 columns', async () => {
    const running = testServer.startPsp(['tail', '--color', 'never'], NARROW)
    await waitUntil(() => running.errors().includes('Following'))
    await testServer.psp(`payments create --amount 150000 --order-id ${'o'.repeat(30)}`)
    await testServer.psp('clock advance --until-idle')
    await waitUntil(() => running.output().includes('succeeded'))
    running.signal('SIGINT')
    expectWhole((await running.ended).stdout, [/pending -> processing/, /\b1 500\.00 RUB/])
  })

  test('`psp wait` keeps words whole and lines within 80 columns', async () => {
    const { stdout } = await testServer.psp('wait payment.succeeded --since 30d', NARROW)
    expectWhole(stdout, [/\b[0-9a-f]{8}-…/, new RegExp(ORDER)])
  })

  test('`payments list` truncates a long order and keeps all columns', async () => {
    const { stdout } = await testServer.psp('payments list --color never', NARROW)
    const [title = '', ...rows] = rowsOf(stdout)
    expect(title.split(/ {2,}/)).toEqual(['payment', 'status', 'amount', 'method', 'order', 'created (UTC)'])
    expect(rows.some((row) => /очень-длинн\S*… {2}\d\d-\d\d \d\d:\d\d/.test(row))).toBe(true)
    for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  })

  test('`events list` shows seconds, so events of the same minute differ', async () => {
    const { stdout } = await testServer.psp('events list', NARROW)
    expect(rowsOf(stdout)[1]).toMatch(/ \d\d-\d\d \d\d:\d\d:\d\d /)
  })

  test('`faults list` shows how often a fault still applies, or that it is spent', async () => {
    await testServer.psp('faults add webhook drop --match event=payment.failed --times 3')
    await testServer.psp('faults add api latency:1ms --match method=POST --times 1')
    await testServer.psp('payments create --amount 100')
    const { stdout } = await testServer.psp('faults list --color never', NARROW)
    const [title = '', ...rows] = rowsOf(stdout)
    expect(title).toMatch(/^fault +target +what +left +match/)
    expect(rows.map((row) => /(?<= )(spent|\d)(?= )/.exec(row)?.[0]).sort()).toEqual(['3', 'spent'])
  })

  test('`listen --show-body` shows the whole body below its line', async () => {
    const show = async (options: { terminal?: boolean; columns?: number }) => {
      const running = testServer.startPsp(
        ['listen', '--forward', String(app.port), '--show-body', '--color', 'never'],
        options,
      )
      await waitUntil(() => running.errors().includes('Ready.'))
      await testServer.psp(`trigger payment.succeeded --set metadata.note=${'n'.repeat(600)}`)
      await waitUntil(() => running.output().includes('<--'))
      running.signal('SIGINT')
      return (await running.ended).stdout
    }
    for (const options of [{}, NARROW]) {
      const rows = (await show(options)).split('\n')
      const [body = '', ...more] = rows.filter((row) => row.startsWith(`${' '.repeat(18)}{`))
      expect(JSON.parse(body)).toMatchObject({ data: { metadata: { note: 'n'.repeat(600) } } })
      expect(more).toEqual([])
    }
  })

  test('`deliveries get` and `logs --show-body` print signatures and bodies in one line, so that they can be copied', async () => {
    await testServer.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
    await testServer.psp('trigger payment.succeeded')
    await testServer.psp('clock advance --until-idle')
    const { items } = JSON.parse((await testServer.psp('webhooks deliveries list --json')).stdout)
    const { id, attempts } = items.find((one: { attempts: unknown[] }) => one.attempts.length > 0)
    const { 'x-psp-signature': signature } = attempts[0].request.headers
    expect(signature.length).toBeGreaterThan(70)
    const delivery = rowsOf((await testServer.psp(`webhooks deliveries get ${id}`, NARROW)).stdout)
    expect(delivery).toContain(`> x-psp-signature: ${signature}`)
    const log = rowsOf((await testServer.psp('logs --show-body --limit 3', NARROW)).stdout)
    for (const rows of [delivery, log]) {
      const bodies = rows.flatMap((row) => /^ *> (\{.*)$/.exec(row)?.[1] ?? [])
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) expect(JSON.parse(body)).toBeInstanceOf(Object)
    }
  })
})
