// Rows that were edited by hand. The start fails with file and line for rows that an import would reject.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../../src/sandbox.ts'
import { temporaryFolder } from '../fixtures.ts'

type Row = Record<string, unknown>

test.each([
  ['payments', { created_at: 'x' }, /created_at: /],
  ['payments', { created_at: 9e15 }, /created_at: /],
  ['payments', { plan: undefined }, /plan: /],
  ['payments', { shop_id: 'nobody' }, /shop_id: shops has no nobody/],
  ['payments', { merchant_id: 'nobody' }, /merchant_id: the shop belongs to another merchant/],
  ['payments', { amount: '100' }, /amount: /],
  ['payments', { amount: 100.5 }, /amount: /],
  ['payments', { amount_refunded: 101 }, /amount_refunded: expected at most the amount, 100/],
  ['payments', { id: 'a\u0000/../b\n' }, /id: expected no control characters/],
  ['payments', { id: 'x'.repeat(201) }, /id: /],
  ['payments', { id: 'a/b' }, /id: expected no slash/],
  ['payments', { id: '..' }, /id: expected no slash/],
  ['payments', { id: 'a?b' }, /id: expected no slash/],
  ['timers', { object_id: 'a\u001b[2J' }, /object_id: expected no control characters/],
  ['payments', { status: 'bogus' }, /status: /],
  ['timers', { due: -1 }, /due: /],
  ['payments', { descripton: 'x' }, /expected no field descripton/],
  ['payouts', { recipient: { phone: '+79991234567', bank_id: '100000000111', name: 'x' } }, /expected no field name/],
  ['payments', { webhook_url: 'file:///etc/passwd' }, /webhook_url: expected an absolute http/],
  ['deliveries', { url: 'file:///etc/passwd' }, /url: expected an absolute http/],
  ['shops', { merchant_id: 'nobody' }, /merchant_id: merchants has no nobody/],
  ['shops', { id: 'other' }, /has no/],
])('the start fails for a row of %s with %j', async (table, change, why) => {
  const folder = await filled()
  const { file, good } = edit(folder, table, (row) => ({ ...row, ...change }))
  const line = table === 'shops' && 'id' in change ? 1 : 2
  const error = await assembleSandbox({ folder }).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', line, why: expect.stringMatching(why) })
  if (line === 2) expect(error.file).toBe(file)
  expect(readFileSync(file, 'utf8')).not.toBe(good)
  writeFileSync(file, good)
  await opens(folder)
})

test('a valid edit is used, and the next start no longer reports it', async () => {
  const folder = await filled()
  const { file } = edit(folder, 'payments', (row) => ({ ...row, description: 'by hand' }))
  const notices = await opens(folder)
  expect(notices).toEqual([expect.stringContaining('changed by hand')])
  expect(readFileSync(file, 'utf8')).toContain('by hand')
  expect(await opens(folder)).toEqual([])
})

test.each<[string, (text: string) => string, number, RegExp]>([
  ['an unknown key', (text) => text.replace(/"crc":\d+,/, '"sq":1,'), 1, /^sq: unknown key \(did you mean seq\?\)$/],
  ['a text as its seq', (text) => text.replace(/"seq":(\d+)/, '"seq":"$1"'), 1, /^seq: expected an integer from 0$/],
])('the start fails for a page with %s', async (_, change, line, why) => {
  const folder = await filled()
  const file = join(folder, 'pages', 'payments', '000000.json')
  const good = readFileSync(file, 'utf8')
  writeFileSync(file, change(good))
  const error = await assembleSandbox({ folder }).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', file, line, why: expect.stringMatching(why) })
  writeFileSync(file, good)
  await opens(folder)
})

test.each([
  ['pages/payments/1.json', /the name of a page has six digits: rename it to 000001\.json/],
  ['journal/7.ndjson', /the name of a journal file has twelve digits: rename it to 000000000007\.ndjson/],
  ['pages/paymets/000000.json', /there is no table paymets \(did you mean payments\?\)/],
])('the start fails for the misnamed file %s', async (name, why) => {
  const folder = await filled()
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '{"rows":[\n]}\n')
  const error = await assembleSandbox({ folder }).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', why: expect.stringMatching(why) })
  expect(path.startsWith(error.file)).toBe(true)
  rmSync(path)
  await opens(folder)
})

test('the start fails for a damaged newest-journal, and succeeds once the advice in the error is followed', async () => {
  const folder = await filled()
  const file = join(folder, 'newest-journal')
  for (const text of ['', 'x\n', '00012.ndjson\n']) {
    writeFileSync(file, text)
    const error = await assembleSandbox({ folder }).catch((thrown) => thrown)
    expect(error).toMatchObject({
      name: 'StoreDamagedError',
      file,
      why: expect.stringContaining('the name of a journal file'),
    })
  }
  rmSync(file)
  await opens(folder)
})

test('the start fails and names the line of a setting in state.json that is not a plan', async () => {
  const folder = await filled()
  const file = join(folder, 'state.json')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...state, settings: { default_outcome: 'bogus' } }, null, 2))
  const error = await assembleSandbox({ folder }).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', file, why: expect.stringContaining('default_outcome') })
  expect(error.line).toBeGreaterThan(5)
})

/** Returns a folder with three payments, a delivery, and two payouts that wait for their banks. */
async function filled(): Promise<string> {
  const folder = temporaryFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sandbox = await assembleSandbox({ folder, clock: { mode: 'frozen' } })
  const post = async (path: string, body: object, status = 201) => {
    const made = await sandbox.fetch(
      new Request(`http://127.0.0.1/v1/public/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    expect(made.status).toBe(status)
    return (await made.json()) as { payment: { id: string } }
  }
  for (let n = 0; n < 2; n++) {
    await post('payments', { amount: 100, currency: 'RUB', method: 'sbp', return_url: 'https://shop.example/' })
    await post('payouts', { amount: 100, phone: '+79991234567', bank_id: '100000000111' })
  }
  const { payment } = await post('payments', { amount: 100, webhook_url: 'http://127.0.0.1:1/' })
  await post(`payments/${payment.id}/cancel`, {}, 200)
  await sandbox.close({ grace_ms: 0 })
  return folder
}

/** Changes the first row of the first page. Returns the file and its old content. */
function edit(folder: string, table: string, change: (row: Row) => Row) {
  const file = join(folder, 'pages', table, '000000.json')
  const good = readFileSync(file, 'utf8')
  const lines = good.split('\n')
  const row = JSON.parse(String(lines[1]).replace(/,$/, ''))
  lines[1] = JSON.stringify(change(row)) + (lines[1]?.endsWith(',') ? ',' : '')
  writeFileSync(file, lines.join('\n'))
  return { file, good }
}

async function opens(folder: string): Promise<string[]> {
  const notices: string[] = []
  const sandbox = await assembleSandbox({ folder, notice: (text) => notices.push(text) })
  await sandbox.close({ grace_ms: 0 })
  return notices
}
