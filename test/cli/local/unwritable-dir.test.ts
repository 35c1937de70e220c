// A data directory that cannot be created, here because its parent is a file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDir, jsonOf, psp } from '../helpers.ts'

let cwd: string
beforeEach(() => {
  const folder = createTestDir()
  onTestFinished(folder.remove)
  cwd = folder.path
  writeFileSync(join(cwd, 'file'), '')
})
const run = (line: string) => psp(`${line} --data file/.psp`, { cwd })

test.each([
  ['banks сбер', 'Сбербанк'],
  ['settings banks', 'full'],
  ['payments list', 'No payments'],
  ['payouts list', 'No payouts'],
  ['shops list', 'Local shop'],
  ['rules list', 'No rules'],
  ['events list', 'No events'],
  ['store snapshots', 'No snapshots'],
  ['request GET /v1/public/banks/sbp', 'member_id'],
  ['clock show', 'real'],
  ['logs', 'No requests'],
  ['listen --print-secret', 'whs_'],
])('`psp %s` works without a data directory, and says so', async (line, shown) => {
  const { code, stdout, stderr } = await run(line)
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining(shown)])
  expect(stderr).toContain(
    'No server is running, and file/.psp does not exist: this command uses an empty sandbox in memory.',
  )
})

test.each([
  'payments create --amount 100',
  'rules add succeeded',
  'settings set magic=false',
  'store reset',
  'request POST /v1/public/payments',
  'serve --port 0',
])('`psp %s` fails because its change would be lost', async (line) => {
  const { code, stdout, stderr } = await run(line)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/The data directory/)
})

test('a command that reads data fails on a damaged data directory, and `psp banks` does not', async () => {
  mkdirSync(join(cwd, 'other'))
  writeFileSync(join(cwd, 'other', 'state.json'), JSON.stringify({ format: 99 }))
  const at = (line: string) => psp(`${line} --data other`, { cwd })
  expect((await at('payments list')).code).toBe(1)
  const { code, stdout } = await at('banks --json сбер')
  expect([code, (jsonOf({ code, stdout, stderr: '' }) as { items: unknown[] }).items.length]).toEqual([
    0,
    expect.any(Number),
  ])
})

test('a command on a damaged data directory exits with 1 and names file and line', async () => {
  mkdirSync(join(cwd, 'other'))
  writeFileSync(join(cwd, 'other', 'state.json'), '{"format": 1, "seq": nonsense')
  const { code, stdout, stderr } = await psp('payments list --data other', { cwd })
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/state\.json:\d+/)])
})
