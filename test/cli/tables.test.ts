import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { startReceiver, startTestServer, type TestReceiver, type TestServer } from './helpers.ts'

let rig: TestServer
let app: TestReceiver

beforeAll(async () => {
  rig = await startTestServer()
  app = await startReceiver()
  await rig.psp(`webhooks endpoints create http://127.0.0.1:${app.port}/hooks`)
  await rig.psp('trigger payment.succeeded')
  await rig.psp('trigger payment.refunded')
})
afterAll(async () => {
  await rig.close()
  await app.close()
})

const head = async (line: string) => (await rig.psp(line)).stdout.split('\n')[0]

test('times name their zone in the heading', async () => {
  expect(await head('payments list')).toContain('created (UTC)')
  expect(await head('events list')).toContain('created (UTC)')
  expect(await head('keys list')).toContain('created (UTC)')
})

test('deliveries tell object and time', async () => {
  const [title = '', first = ''] = (await rig.psp('webhooks deliveries list')).stdout.split('\n')
  expect(title).toMatch(/delivery +event +status +tries +response +last try \(UTC\) +object +url/)
  expect(first).toMatch(/ 1 +200 +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +[0-9a-f-]{36} +http/)
})

test('replayed events stand in aligned columns', async () => {
  const { stdout } = await rig.psp('events replay --since 1h')
  const [title = '', ...rows] = stdout.trimEnd().split('\n')
  expect(rows.length).toBeGreaterThan(2)
  for (const row of rows) expect(row.indexOf('http://')).toBe(title.indexOf('url'))
})

describe('--since after the clock was moved', () => {
  test.each(['events replay --since 10m', 'events list --since 10m'])('%s', async (line) => {
    await rig.psp('clock advance 20m')
    const { code, stderr } = await rig.psp(line)
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /--since counts the sandbox's time, which is now \d{4}-\S+ \S+ UTC\. The newest event was at \d{4}-\S+ \S+ UTC\./,
    )
  })
})

test('a slip in a field is told below its request', async () => {
  const reply = await fetch(`${rig.url}/v1/public/payments`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${DEFAULT_SHOP.api_key}` },
    body: JSON.stringify({ amount: 100, retrun_url: 'https://shop.example' }),
  })
  expect(reply.status).toBe(201)
  const { stdout } = await rig.psp('logs --path /v1/public/payments --limit 1')
  expect(stdout.split('\n')[1]).toBe(
    `${' '.repeat(14)}unknown field "retrun_url" was ignored, did you mean return_url?`,
  )
})

test('a payout to a magic phone tells the failure that is planned', async () => {
  const { stdout } = await rig.psp('payouts create --amount 50000 --phone +70000000014 --bank-id 100000000111')
  expect(stdout).toMatch(/planned +failed:recipient_not_found \(magic phone 14\)/)
})

test('a setting that is refused tells the way back to the default', async () => {
  for (const name of ['default_outcome', 'http_return_url']) {
    const { stderr } = await rig.psp(`settings set ${name}=`)
    expect(stderr).toContain(`\`psp settings set ${name}=null\` restores the default`)
  }
})

test('an http return_url on this machine names the command that allows it', async () => {
  const { stderr } = await rig.psp('payments create --amount 100 --return-url http://localhost:3000/back')
  expect(stderr).toContain('`psp settings set http_return_url=true`')
})

test.each(['shops list', 'events list', 'payments list', 'webhooks deliveries list', 'payments get PAYMENT'])(
  'psp %s breaks no id and no word on a terminal of 80 columns',
  async (line) => {
    const { items } = JSON.parse((await rig.psp('payments list --json')).stdout)
    const { code, stdout } = await rig.psp(line.replace('PAYMENT', items[0].id), { terminal: true, columns: 80 })
    expect(code).toBe(0)
    for (const each of stdout.split('\n')) expect(stripVTControlCharacters(each).length).toBeLessThanOrEqual(80)
  },
)

describe('at 80 columns', () => {
  const narrow = (line: string) => rig.psp(`${line} --color never`, { terminal: true, columns: 80 })

  test.each([
    ['payments list', ['payment', 'status', 'amount', 'method', 'order', 'created (UTC)'], 'payments get'],
    ['events list', ['event', 'name', 'object', 'created (UTC)', 'about'], 'events get'],
    [
      'webhooks deliveries list',
      ['delivery', 'event', 'status', 'tries', 'response', 'last (UTC)', 'object'],
      'webhooks deliveries get',
    ],
  ])('%s shortens ids and times before it leaves a column out', async (line, titles, get) => {
    const { stdout } = await narrow(line)
    const [title = '', first = ''] = stdout.split('\n')
    expect(title.split(/ {2,}/)).toEqual(titles)
    for (const row of stdout.split('\n')) expect(row.length).toBeLessThanOrEqual(80)
    expect((await rig.psp(`${get} ${first.split(' ')[0]}`)).code).toBe(0)
  })

  test('where settings are whole is told, and is true', async () => {
    const { stderr } = await narrow('settings')
    expect(stderr.replaceAll('\n', ' ')).toContain('or use `psp settings NAME`')
    const { stdout } = await narrow('settings http_return_url')
    for (const title of ['setting', 'value', 'default', 'from', 'about'])
      expect(stdout).toMatch(new RegExp(`^${title} `, 'm'))
  })

  test('a setting is printed as it is typed: a switch without quotes', async () => {
    expect((await rig.psp('settings set http_return_url=true')).stdout).toBe('http_return_url = true\n')
    expect((await rig.psp('settings set delays.bank=2s')).stdout).toBe('delays.bank = 2s\n')
  })
})

test('a long value does not widen a list; alone it is whole', async () => {
  const order = 'o'.repeat(5000)
  await rig.psp(['trigger', 'payment.succeeded', '--set', `order_id=${order}`])
  const { id } = JSON.parse((await rig.psp('payments list --json --limit 1')).stdout).items[0]
  for (const line of ['payments list', 'events list']) {
    const { stdout } = await rig.psp(line)
    expect(stdout).toMatch(/o{60,}…/)
    for (const row of stdout.split('\n')) expect(row.length).toBeLessThan(400)
  }
  expect((await rig.psp(`payments get ${id}`)).stdout).toContain(order)
})
