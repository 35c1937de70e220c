import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startPsp } from '../helpers.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'psp-words-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

const create = (...more: string[]) => ['payments', 'create', '--amount', '100', ...more]

describe('a usage error', () => {
  it.each([
    [create('--idempotency-key', 'a\nb'), 2, '--idempotency-key: '],
    [create('--outcome', 'bogus:zzz'), 2, '--outcome: "bogus:zzz" is not a plan'],
    [create('--currency', 'xyz'), 2, '--currency: '],
    [create('--return-url', 'ftp://x'), 2, '--return-url: "ftp://x": return_url must be'],
    [['payments', 'get', ''], 2, 'The argument id is empty.'],
    [['payments', 'get'], 2, 'The argument id is missing.'],
    [['events', 'replay', ''], 2, 'The argument ids is empty.'],
    [['events', 'replay', 'evt_1', ' '], 2, 'The argument ids is empty.'],
    [['events', 'replay', '', '--since', '10m'], 2, 'The argument ids is empty.'],
    [['webhooks', 'deliveries', 'retry', '', '--status', 'exhausted'], 2, 'The argument ids is empty.'],
    [['events', 'import', 'a.har', ''], 2, 'The argument files is empty.'],
    [['banks', ''], 2, 'The argument query is empty.'],
    [['settings', ''], 2, 'The argument name is empty.'],
    [['trigger', ''], 2, 'The argument event is empty.'],
    [['clock', 'advance', ''], 2, 'The argument by is empty.'],
    [['webhooks', 'deliveries', 'list', '--event', ''], 2, '--event: "" is empty.'],
    [['webhooks', 'deliveries', 'retry', '--endpoint', ''], 2, '--endpoint: "" is empty.'],
    [['payments', 'create', '--amount', '0'], 2, '--amount: "0" is not an integer of at least 1.'],
    [['payments', 'list', '--status', 'nope'], 2, '--status: "nope"'],
    [['serve', '--ephemeral', '--endpoint', 'ftp://x'], 2, '--endpoint: '],
    [['serve', '--ephemeral', '--set', 'foo=1'], 2, 'Unknown setting "foo".'],
    [['store', 'import', '.'], 2, 'it is a folder'],
    [['serve', '--data', '/proc/x', '--port', '0'], 1, '/proc/x cannot be used'],
    [['listen', '--forward', '0'], 2, 'port 0'],
    [['listen', '--forward', '3000', '--header', 'Content-Length: 3'], 2, 'Content-Length'],
  ])('the error of %j exits with %i and names the typed flag', async (argv, code, words) => {
    const ended = await startPsp(argv, { cwd }).ended
    expect([ended.code, ended.stdout]).toEqual([code, ''])
    const lines = ended.stderr.trimEnd().split('\n')
    expect(lines.at(-2)).toContain(words)
    expect(lines.at(-2)).not.toContain(lines.at(-1))
  })
})

describe('a usage error of a name that is almost right', () => {
  it.each([
    [[...create(), '--outcome', 'failed:insuficient_funds'], 'insufficient_funds'],
    [['rules', 'add', 'faild'], 'failed'],
    [['rules', 'add', 'failed', '--match', 'metod=sbp'], 'method'],
    [['faults', 'add', 'webhook', 'dorp'], 'drop'],
    [['faults', 'add', 'webhook', 'duplicat:2'], 'duplicate'],
    [['faults', 'add', 'webhook', 'drop', '--match', 'event=payment.suceeded'], 'payment.succeeded'],
    [['faults', 'add', 'stream', 'drop', '--match', 'kind=payment.crated'], 'payment.created'],
    [['faults', 'add', 'redirect', 'drop', '--match', 'status=suceeded'], 'succeeded'],
    [['rules', 'add', 'failed', '--match', 'operation=paymnt'], 'payment'],
    [['rules', 'add', 'failed:insufficient_fund'], 'insufficient_funds'],
    [['events', 'list', '--event', 'payment.succeded'], 'payment.succeeded'],
  ])('the error of %j suggests %s', async (argv, name) => {
    const { code, stderr } = await startPsp(argv, { cwd }).ended
    expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([2, `Did you mean ${name}?`])
  })
})

describe('an error that the command line can detect exits 2, and an error of the API exits 4 or 5', () => {
  it.each([
    [create('--method', 'card'), 2],
    [create('--outcome', 'declined'), 2],
    [create('--currency', 'rub'), 2],
    [create('--webhook-url', 'ftp://x'), 2],
    [create('--return-url', 'nonsense'), 2],
    [['faults', 'add', 'webhok', 'drop'], 2],
    [['faults', 'add', 'webhook', 'drop', '--match', 'metod=x'], 2],
    [['logs', '--status', '5'], 2],
    [['store', 'snapshot', 'Bad Name'], 2],
    [['store', 'restore', 'Bad Name'], 2],
    [['store', 'forget', 'Bad Name'], 2],
    [['payouts', 'create', '--amount', '100', '--phone', '123', '--bank-id', '100000000111'], 2],
    [['payouts', 'create', '--amount', '100', '--phone', '+79161234567', '--bank-id', '1'], 2],
    [['settings', 'set', 'default_outcome=faild'], 2],
    [['shops', 'create', '--ip', '300.0.0.1'], 2],
    [['clock', 'speed', '1e99'], 2],
    // These depend on the settings, the clock or the data of the sandbox.
    [create('--return-url', 'http://localhost/x'), 5],
    [['clock', 'advance', '--to', '2020-01-01T00:00:00Z'], 5],
    [['payments', 'list', '--cursor', 'zzz'], 5],
    [['store', 'restore', 'unknown'], 4],
  ])('%j exits with %i', async (argv, code) => {
    expect((await startPsp(argv, { cwd }).ended).code).toBe(code)
  })
})

describe('a usage error without a similar name', () => {
  it.each([
    [
      ['faults', 'add', 'webhook', 'nope'],
      '"nope" is not a fault of webhook. The faults are duplicate:2, delay:2s, drop,',
    ],
    [
      ['faults', 'add', 'webhook', 'duplicate'],
      '"duplicate": duplicate takes a number from 1 to 9999, as in duplicate:2.',
    ],
    [['faults', 'add', 'api', 'status:200'], '"status:200": status takes a status from 400 to 599, as in status:503.'],
    [
      ['faults', 'add', 'api', 'latency:6'],
      '"latency:6": latency takes a duration of at most 36500d, as in latency:2s.',
    ],
    [['faults', 'add', 'webhook', 'tamper:2'], '"tamper:2": tamper takes no value.'],
    [['rules', 'add', 'failed:nope'], '"failed:nope" has an unknown failure code.'],
  ])('the error of %j says: %s', async (argv, words) => {
    const { code, stderr } = await startPsp(argv, { cwd }).ended
    expect(code).toBe(2)
    expect(stderr.replaceAll('\n', ' ')).toContain(words)
    expect(stderr).not.toContain('Did you mean')
  })
})

describe('what is printed', () => {
  it('an empty list says if filters match nothing', async () => {
    expect((await startPsp(['payments', 'list'], { cwd }).ended).stderr).toContain('No payments.')
    expect((await startPsp(['payments', 'list', '--method', 'cards'], { cwd }).ended).stderr).toContain('these filters')
  })

  it('`payments create` without a server says when its page works', async () => {
    expect((await startPsp(create(), { cwd }).ended).stdout).toContain('when `psp serve` runs')
  })
})

describe('a list on a terminal', () => {
  it('a list on a narrow terminal omits its last columns and names them', async () => {
    await startPsp(create('--order-id', 'a-rather-long-order-id-of-forty-characters'), { cwd }).ended
    const narrow = await startPsp(['payments', 'list', '--color', 'never'], { cwd, terminal: true, columns: 60 }).ended
    for (const line of narrow.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
    expect(narrow.stdout).toContain('1.00 RUB')
    expect(narrow.stderr.replaceAll('\n', ' ')).toContain('Columns that do not fit: created (UTC).')
    const piped = await startPsp(['payments', 'list'], { cwd }).ended
    expect(piped.stdout).toContain('a-rather-long-order-id')
  })
})

it.each([
  [['listen', '--forward', '3999', '--timeout', '0s'], '--timeout: "0s"'],
  [['payments', 'list', '--data', ''], '--data: "" is empty.'],
  [['payments', 'list', '--data='], '--data: "" is empty.'],
  [['payments', 'list', '--url='], '--url: "" is empty.'],
  [['serve', '--host='], '--host: "" is empty.'],
  [['serve', '--seed='], '--seed: "" is empty.'],
  [['serve', '--pay-url='], '--pay-url: "" is empty.'],
  [['openapi', '--out='], '--out: "" is empty.'],
  [['audit', '3999', '--junit='], '--junit: "" is empty.'],
  [['audit', '3999', '--only', '', '--strict'], '--only: "" is empty.'],
  [['audit', '3999', '--only=,'], '--only: the name of a check is empty.'],
  [['verify', '--delivery', ''], '--delivery: "" is empty.'],
  [['payments', 'create', '--amount', '100', '--order-id', ''], '--order-id: "" is empty.'],
  [['payments', 'list', '--order-id='], '--order-id: "" is empty.'],
  [['events', 'list', '--event', ''], '--event: "" is empty.'],
  [['events', 'replay', '--since', '10m', '--event', ''], '--event: "" is empty.'],
  [['tail', '--kinds', ''], '--kinds: "" is empty.'],
  [['wait', ''], 'The argument event is empty.'],
  [['audit', '3999', '--secret', 'thm_1'], 'Use a secret that begins with whs_, which signs webhooks.'],
  [['payments', 'create', '--amount', '9007199254740993'], 'too large: at most 9007199254740991'],
  [['listen', '--forward', '3999', '--events', ','], 'The name of an event is empty.'],
  [['settings', 'set'], 'The argument name=value is missing.'],
  [['settings', 'set', 'buyer'], 'such as delays.bank=0s'],
])('%j is wrong usage and creates no file', async (argv, message) => {
  const { code, stderr } = await startPsp(argv, { cwd }).ended
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(readdirSync(cwd)).toEqual([])
})

it('an empty path in psp.config.json is wrong usage and creates no file', async () => {
  writeFileSync(join(cwd, 'psp.config.json'), '{"data": ""}')
  const { code, stderr } = await startPsp(['payments', 'list'], { cwd }).ended
  expect([code, stderr]).toEqual([2, expect.stringContaining('psp.config.json: data: "" is empty.')])
  expect(readdirSync(cwd)).toEqual(['psp.config.json'])
})
