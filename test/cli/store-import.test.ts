// `psp store import` of a file that is wrong: told by its name and place.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DEFAULT_SHOP } from '../../src/domain/default-shop.ts'
import { createTestDir, startTestServer, type TestServer } from './helpers.ts'

const folder = createTestDir()
let rig: TestServer
let good: string

beforeAll(async () => {
  rig = await startTestServer()
  await rig.psp('payments create --amount 100')
  await rig.psp('store export state.json', { cwd: folder.path })
  good = readFileSync(join(folder.path, 'state.json'), 'utf8')
})
afterAll(async () => {
  await rig.close()
  folder.remove()
})

test.each<[string, (text: string) => string | Buffer, RegExp]>([
  ['a value left out', (text) => text.replace('"amount":100', '"amount":'), /^bad\.json:(\d+):(\d+): not JSON: /],
  ['a row cut in a text', (text) => text.replace(/("order_id":"..).*/, '$1'), /^bad\.json:(\d+):(\d+): not JSON: /],
  ['an empty file', () => '', /^bad\.json: expected a JSON object, got nothing\.$/],
  ['a list', () => '[]', /^bad\.json: expected a JSON object, got an array\.$/],
  ['a byte order mark', (text) => `\ufeff${text}`, /^bad\.json:(1):1: it begins with a byte order mark/],
  [
    'Latin-1',
    (text) => Buffer.from(text.replace('"amount"', '"ü":1,"amount"'), 'latin1'),
    /^bad\.json:(\d+):(\d+): .*not UTF-8/,
  ],
  [
    'a wrong row',
    (text) => text.replace('"amount":100', '"amount":"x"'),
    /^bad\.json:(\d+): tables\.payments\[0\]\.amount: /,
  ],
  ['another format', (text) => text.replace('psp-sandbox/1', 'other'), /^bad\.json:1: format: expected psp-sandbox\/1/],
  [
    'an unknown table',
    (text) => text.replace('"rules":', '"ruels":'),
    /^bad\.json:\d+: tables\.ruels: there is no such table, did you mean rules\?/,
  ],
  [
    'an unknown key',
    (text) => text.replace('"version":', '"verion":'),
    /^bad\.json:1: verion: unknown key, did you mean version\?/,
  ],
  [
    'a misspelt tables key',
    (text) => text.replace('"tables":', '"tabels":'),
    /^bad\.json:\d+: tabels: unknown key, did you mean tables\?/,
  ],
  [
    'an unknown field of a row',
    (text) => text.replace('"amount":100', '"amount":100,"amuont":1'),
    /^bad\.json:(\d+): tables\.payments\[0\]: expected no field amuont/,
  ],
])('%s', async (what, damage, place) => {
  const bad = damage(good)
  writeFileSync(join(folder.path, 'bad.json'), bad)
  const { code, stderr } = await rig.psp('store import bad.json --json', { cwd: folder.path })
  const { message, hint } = JSON.parse(stderr).error
  expect(code).toBe(5)
  expect(message).toMatch(place)
  expect(hint).toBe('Correct the file, or create another with `psp store export FILE`.')
  const [, line] = place.exec(message) ?? []
  if (line === '1' || line === '' || line === undefined) return
  const first = good.split('\n').findIndex((row) => row.includes('"amount":100')) + 1
  expect([what, Number(line)]).toEqual([what, first])
})

test('an import reports the public secrets that a shared server removed from the former ones', async () => {
  const token = 'a-control-token-of-a-test'
  const shared = await startTestServer({
    credentials: { api_key: 'sk_test_own001_0123456789abcdef', signing_secret: 'thm_own', webhook_secret: 'whs_own' },
    control: { host: '0.0.0.0', loopback: false, token },
  })
  onTestFinished(shared.close)
  const options = { cwd: folder.path, env: { PSP_CONTROL_TOKEN: token } }
  await shared.psp('store export own.json', options)
  const state = JSON.parse(readFileSync(join(folder.path, 'own.json'), 'utf8'))
  state.tables.shops[0].former_secrets = [DEFAULT_SHOP.webhook_secret]
  writeFileSync(join(folder.path, 'own.json'), JSON.stringify(state))
  const { code, stderr } = await shared.psp('store import own.json', options)
  expect([code, stderr]).toEqual([0, expect.stringContaining('removed a former secret that is public')])
})
