// Why something became what it is, where people look first.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDir, psp, startPsp, startTestServer, type TestServer, waitUntil } from './helpers.ts'

let rig: TestServer
beforeAll(async () => {
  rig = await startTestServer()
})
afterAll(() => rig.close())

describe('what chose the plan of a payment', () => {
  test.each([
    ['--amount 50001', 'requires_action, by the magic amount 500.01 RUB'],
    ['--amount 100 --outcome failed', 'failed:do_not_honor, by --outcome'],
    ['--amount 100 --metadata simulate=pending', 'pending, by metadata.simulate'],
    ['--amount 100', 'succeeded'],
  ])('create %s, and get', async (flags, planned) => {
    const made = await rig.psp(`payments create ${flags}`)
    expect(made.stdout).toMatch(new RegExp(`^planned +${planned}$`, 'm'))
    const id = /^payment +(\S+)/.exec(made.stdout)?.[1]
    expect((await rig.psp(`payments get ${id}`)).stdout).toMatch(new RegExp(`^planned +${planned}$`, 'm'))
  })

  test('a rule is named', async () => {
    const { stdout } = await rig.psp('rules add pending --match order_id=ruled --json')
    const { id } = JSON.parse(stdout)
    const made = await rig.psp('payments create --amount 100 --order-id ruled')
    expect(made.stdout).toContain(`pending, by rule ${id}`)
  })
})

test('a refusal stands with its reason in the log of the server and of the command', async () => {
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
])('--amount %s is told in minor units', async (amount, told) => {
  const { code, stderr } = await rig.psp(['payments', 'create', '--amount', amount])
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([2, told])
})

test('a rehearsal says what it would do, not that it was done', async () => {
  for (const line of ['store reset', 'store import -']) {
    const { stdout } = await rig.psp(`${line} --dry-run`, { stdin: (await rig.psp('store export -')).stdout })
    expect(stdout).toMatch(/Would (clear|replace): \d+ payments/)
    expect(stdout).not.toMatch(/Cleared|Replaced/)
  }
})

test('psp serve says once that an event has no receiver, and how to name one', async () => {
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

test('snapshots say whose time they show where the clock was moved', async () => {
  await rig.psp('store snapshot one')
  await rig.psp('clock advance 1d')
  expect((await rig.psp('store snapshots')).stderr).toContain("Times are this machine's.")
})
