// Commands name the reason for a plan, an error or a missing receiver.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDir, psp, startPsp, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let testServer: TestServer
beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

describe('what chose the plan of a payment', () => {
  test.each([
    ['--amount 50001', 'requires_action, by the magic amount 500.01 RUB'],
    ['--amount 100 --outcome failed', 'failed:do_not_honor, by --outcome or the header X-PSP-Simulate'],
    ['--amount 100 --metadata simulate=pending', 'pending, by metadata.simulate'],
    ['--amount 100', 'succeeded'],
  ])('`payments create %s` and `payments get` show what chose the plan', async (flags, planned) => {
    const made = await testServer.psp(`payments create ${flags}`)
    expect(made.stdout).toMatch(new RegExp(`^planned +${planned}$`, 'm'))
    const id = /^payment +(\S+)/.exec(made.stdout)?.[1]
    expect((await testServer.psp(`payments get ${id}`)).stdout).toMatch(new RegExp(`^planned +${planned}$`, 'm'))
  })

  test('`payments create` names the rule that chose the plan', async () => {
    const { stdout } = await testServer.psp('rules add pending --match order_id=ruled --json')
    const { id } = JSON.parse(stdout)
    const made = await testServer.psp('payments create --amount 100 --order-id ruled')
    expect(made.stdout).toContain(`pending, by rule ${id}`)
  })
})

test('the output of the server and `psp logs` show the reason of an error below its request', async () => {
  const folder = createTestDir()
  const server = startPsp(['serve', '--port', '0', '--ephemeral'], { cwd: folder.path })
  const url = await waitUntil(() => /PSP_URL=(\S+)/.exec(server.errors())?.[1])
  const why = 'amount: expected an integer in minor units'
  const asked = ['request', 'POST', '/v1/public/payments', '-d', '{"amount":-1}', '--url', url]
  expect((await psp(asked)).code).toBe(5)
  await waitUntil(() => server.output().includes('bad_request'))
  const logs = await psp(['logs', '--url', url])
  for (const text of [server.output(), logs.stdout]) {
    const lines = text.split('\n')
    const at = lines.findIndex((line) => line.includes('bad_request'))
    expect(lines[at + 1]).toContain(why)
  }
  server.signal('SIGINT')
  await server.ended
  folder.remove()
})

test.each([
  ['1500.50', '1500.50 RUB is 150050 (kopeks).'],
  ['0,5', '0.50 RUB is 50 (kopeks).'],
  ['1.234', '1500.00 RUB is 150000 (kopeks).'],
])('the error of --amount %s suggests minor units', async (amount, told) => {
  const { code, stderr } = await testServer.psp(['payments', 'create', '--amount', amount])
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([2, told])
})

test('a dry run of a reset or an import says what it would do, not that it was done', async () => {
  for (const line of ['store reset', 'store import -']) {
    const { stdout } = await testServer.psp(`${line} --dry-run`, {
      stdin: (await testServer.psp('store export -')).stdout,
    })
    expect(stdout).toMatch(/Would (clear|replace): \d+ payments/)
    expect(stdout).not.toMatch(/Cleared|Replaced/)
  }
})

test('`psp serve` reports once that an event has no receiver, and how to add one', async () => {
  const folder = createTestDir()
  const server = startPsp(['serve', '--port', '0', '--ephemeral'], { cwd: folder.path })
  const url = await waitUntil(() => /PSP_URL=(\S+)/.exec(server.errors())?.[1])
  const lines = () =>
    server
      .errors()
      .split('\n')
      .filter((line) => line.includes('has no receiver'))
  await psp(['trigger', 'payment.succeeded', '--url', url])
  await psp(['trigger', 'payment.failed', '--url', url])
  await waitUntil(() => lines().length > 0)
  server.signal('SIGINT')
  await server.ended
  expect(lines()).toEqual([
    `payment.succeeded has no receiver. To receive webhooks, use \`psp listen --forward localhost:3000/hooks --url ${url}\` or --endpoint.`,
  ])
  folder.remove()
})

test('`store snapshots` says whose time it shows if the clock was moved', async () => {
  await testServer.psp('store snapshot one')
  await testServer.psp('clock advance 1d')
  expect((await testServer.psp('store snapshots')).stderr).toContain("Times are this machine's.")
})

describe('a text of 20,000 characters', () => {
  const TEXTS = { 'one word': 'x'.repeat(20_000), 'many words': 'x y '.repeat(5000) }

  test.each([
    [''],
    ['payments'],
    ['payments list --'],
    ['payments create --amount'],
    ['payments create --amount 1 --webhook-url'],
    ['payments create --amount 1 --outcome'],
    ['listen --route'],
    ['events replay a --speed'],
    ['events import'],
    ['verify --signature a'],
    ['verify --delivery'],
    ['trigger'],
    ['clock speed'],
    ['settings get'],
    ['request /'],
    ['serve --seed'],
    ['faults add api'],
  ])('the error of `psp %s` shortens it and marks it with …', async (line) => {
    for (const text of Object.values(TEXTS)) {
      const words = line.split(' ').filter((word) => word !== '')
      const argv = line.endsWith('--') ? [...words.slice(0, -1), `--${text}`] : [...words, text]
      const { code, stderr } = await testServer.psp(argv)
      expect(code).not.toBe(0)
      expect(stderr).toContain('…')
      expect(stderr.length).toBeLessThan(5000)
      const json = JSON.parse((await testServer.psp([...argv, '--json'])).stderr)
      expect(JSON.stringify(json).length).toBeLessThan(5000)
    }
  })
})
