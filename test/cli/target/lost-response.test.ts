// A lost response: the request reached the server, and the object may have been created.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { psp as alone, startTestServer, type TestServer } from '../helpers.ts'

let testServer: TestServer
beforeEach(async () => {
  testServer = await startTestServer()
})
afterEach(() => testServer.close())

const KEY =
  /Run the same command again with `(--idempotency-key psp-[0-9a-f-]{36})`: the server returns the object it created/
const PAYOUT = 'payouts create --amount 100 --phone +79161234567 --bank-id 100000000111'

const items = async (line: string) =>
  JSON.parse((await testServer.psp(`${line} --json`)).stdout).items as { id: string }[]

describe.each([
  ['payments create --amount 10097', 'payments list', 1],
  [`${PAYOUT} --outcome cut`, 'payouts list', 1],
])('%s', (line, list, made) => {
  test('the error of a lost response names the key that replays the create', async () => {
    const lost = await testServer.psp(line)
    expect(lost.code).toBe(6)
    expect(lost.stderr).toContain(
      `error ${testServer.url} was reached, but its response was lost: the connection was closed`,
    )
    expect(lost.stderr).not.toContain('Is the server running?')
    const [, flag = ''] = KEY.exec(lost.stderr) ?? []
    expect(flag).not.toBe('')
    expect(await items(list)).toHaveLength(made)
    const again = await testServer.psp(`${line} ${flag}`)
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('repeated')])
    expect(await items(list)).toHaveLength(made)
  })

  test('the error of a lost response with --json is one line on stderr', async () => {
    const lost = await testServer.psp(`${line} --json`)
    expect([lost.code, lost.stdout]).toEqual([6, ''])
    const { error } = JSON.parse(lost.stderr)
    expect(error).toMatchObject({ code: 'unreachable', hint: expect.stringMatching(KEY) })
  })

  test('a create with --idempotency-key sends that key', async () => {
    const lost = await testServer.psp(`${line} --idempotency-key mine`)
    expect(lost.stderr).toContain('again with `--idempotency-key mine`')
    expect((await testServer.psp(`${line} --idempotency-key mine`)).stdout).toContain('repeated')
  })
})

test('the key in the error replays a refund whose response was lost', async () => {
  const { stdout } = await testServer.psp('payments create --amount 1000 --method sbp --json')
  const { id } = JSON.parse(stdout).payment
  await testServer.psp(`payments pay ${id}`)
  await testServer.psp('faults add api cut --match path=*/refund --times 1')
  const lost = await testServer.psp(`payments refund ${id} --amount 100`)
  const [, flag = ''] = KEY.exec(lost.stderr) ?? []
  expect([lost.code, flag]).toEqual([6, expect.stringContaining('psp-')])
  expect((await testServer.psp(`payments refund ${id} --amount 100 ${flag}`)).code).toBe(0)
  const payment = JSON.parse((await testServer.psp(`payments get ${id} --json`)).stdout)
  expect(payment.refunds).toHaveLength(1)
})

test('with `--count`, the key in the error replays the create whose response was lost', async () => {
  const lost = await testServer.psp('payments create --amount 10097 --count 3 --concurrency 1')
  expect(lost.code).toBe(6)
  const [, flag = ''] = /again with `(--idempotency-key psp-\S+)` in place of --count/.exec(lost.stderr) ?? []
  expect((await testServer.psp(`payments create --amount 10097 ${flag}`)).stdout).toContain('repeated')
  expect(await items('payments list')).toHaveLength(1)
})

test('the error of several lost creates names each of their keys', async () => {
  const lost = await testServer.psp('payments create --amount 10097 --count 3 --concurrency 3')
  expect([lost.code, lost.stderr]).toEqual([6, expect.stringContaining('3 payments may have been created')])
  const flags = [...lost.stderr.matchAll(/`(--idempotency-key psp-[0-9a-f-]{36})`/g)].map(([, flag = '']) => flag)
  expect(new Set(flags).size).toBe(3)
  for (const flag of flags) {
    expect((await testServer.psp(`payments create --amount 10097 ${flag}`)).stdout).toContain('repeated')
  }
  expect(await items('payments list')).toHaveLength(3)
})

test('each create has a new key, so the same command twice creates two payments', async () => {
  for (let run = 0; run < 2; run++) expect((await testServer.psp('payments create --amount 100')).code).toBe(0)
  expect((await testServer.psp('payments create --amount 100 --count 3')).code).toBe(0)
  expect(await items('payments list')).toHaveLength(5)
})

test('a dry run shows only a key that was given', async () => {
  const { stdout } = await testServer.psp('payments create --amount 100 --dry-run --json')
  expect(JSON.parse(stdout).requests[0].headers).toEqual({})
})

test('the error of a lost read or cancel suggests the next step', async () => {
  const { stdout } = await testServer.psp('payments create --amount 1000 --json')
  const { id } = JSON.parse(stdout).payment
  await testServer.psp('faults add api cut --match path=*/cancel --times 1')
  const cancelled = await testServer.psp(`payments cancel ${id}`)
  expect([cancelled.code, cancelled.stderr]).toEqual([6, expect.stringContaining('Before you try again, run')])
  await testServer.psp('faults add api cut --match method=GET --times 1')
  const read = await testServer.psp(`payments get ${id}`)
  expect([read.code, read.stderr]).toEqual([6, expect.stringContaining('Try again')])
})

test('the error without a server does not suggest that the object exists', async () => {
  const { code, stderr } = await alone('payments create --amount 1', { env: { PSP_URL: 'http://127.0.0.1:9' } })
  expect([code, stderr]).toEqual([
    6,
    expect.stringMatching(/cannot be reached: nothing listens.*\nIs the server running/),
  ])
})

test('the key in the error replays a create that ran without a server', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'psp-lost-'))
  try {
    const lost = await alone('payments create --amount 10097', { cwd })
    const [, flag = ''] = KEY.exec(lost.stderr) ?? []
    expect(flag).not.toBe('')
    const again = await alone(`payments create --amount 10097 ${flag}`, { cwd })
    expect(again.stdout).toContain('repeated')
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
})
