import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { recordSandbox, type Shop } from '../recordings/recorded-sandbox.ts'
import { createTestDir, jsonOf, psp } from './helpers.ts'

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

let equal = ''
let other = ''

async function fewCalls(shop: Shop): Promise<void> {
  const { id } = await shop.call('POST', 'payments', { amount: 100, method: 'sbp' })
  await shop.until(`payments/${id}`, 'succeeded')
  await shop.call('GET', 'banks/sbp', undefined, { authorization: null })
}

beforeAll(async () => {
  const har = async (settings: object) => {
    const { entries } = await recordSandbox({ ...settings }, fewCalls)
    return JSON.stringify({ log: { version: '1.2', entries } })
  }
  equal = await har({})
  other = await har({ naming: 'shop', time_fraction: 0 })
})

function folderWith(files: { readonly [name: string]: string }) {
  const dir = createTestDir()
  cleanups.push(dir.remove)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir.path, name), text)
  return { cwd: dir.path, text: (name: string) => readFileSync(join(dir.path, name), 'utf8') }
}

test('`psp compare` ends with 0 if the sandbox does not differ', async () => {
  const { cwd } = folderWith({ 'a.har': equal })
  const { code, stdout } = await psp('compare a.har', { cwd })
  expect(stdout).toMatch(/^No difference in \d+ exchanges\.\n$/)
  expect(code).toBe(0)
})

const changed = (change: (entry: { response: { content: object } }) => object): string => {
  const { log } = JSON.parse(equal) as { log: { entries: { response: { content: object } }[] } }
  return JSON.stringify({ log: { entries: log.entries.map((entry) => ({ ...entry, ...change(entry) })) } })
}

test.each([
  ['no responses', () => changed(() => ({ response: null })), /No exchange in a\.har could be compared\./],
  [
    'no response bodies',
    () => changed(({ response }) => ({ response: { ...response, content: null } })),
    /a\.har has no response bodies, so only statuses and headers were compared\./,
  ],
])('`psp compare` ends with 2 if the recording has %s', async (_, har, message) => {
  const { cwd } = folderWith({ 'a.har': har() })
  const { code, stdout, stderr } = await psp('compare a.har', { cwd })
  expect(stdout).toBe('')
  expect(stderr).toMatch(message)
  expect(stderr).toContain('psp record')
  expect(code).toBe(2)
})

test('`psp compare` prints how many response bodies the recording does not contain', async () => {
  let isFirst = true
  const har = changed(({ response }) => {
    if (!isFirst) return {}
    isFirst = false
    return { response: { ...response, content: null } }
  })
  const { cwd } = folderWith({ 'a.har': har })
  const { code, stderr } = await psp('compare a.har', { cwd })
  expect([code, stderr]).toEqual([0, expect.stringContaining('Not compared: 1 response body, because')])
})

test('`psp compare` names stdin if it is empty', async () => {
  expect(await psp('compare -', { stdin: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('stdin is empty.'),
  })
})

test('`psp compare` warns that a recording has exchanges with several services', async () => {
  const { log } = JSON.parse(equal) as { log: { entries: { request: { url: string } }[] } }
  const moved = log.entries.map((entry) => ({
    ...entry,
    request: { ...entry.request, url: entry.request.url.replace(/^http:..[^/]+/, 'https://api.real.example') },
  }))
  const both = JSON.stringify({ log: { entries: [...log.entries, ...moved] } })
  const { cwd } = folderWith({ 'a.har': both })
  const { stderr, stdout } = await psp('compare a.har --json', { cwd })
  expect(stderr).toMatch(
    /a\.har has exchanges with 2 services: http:\S+ \(\d+\), https:\/\/api\.real\.example \(\d+\)\./,
  )
  expect(JSON.parse(stdout).services).toHaveLength(2)
})

test('`psp compare` shows a table for each kind of difference, and ends with 8', async () => {
  const { cwd } = folderWith({ 'a.har': other })
  const { code, stdout, stderr } = await psp('compare a.har', { cwd })
  expect(stdout).toContain('A field that only the sandbox has (4)\noperation')
  expect(stdout).toMatch(/POST \/payments +payment\.terminal_name +absent +"Local shop" +1 +1 +naming\n/)
  expect(stdout).toMatch(/Settings that remove (\d+) of them.*\n {2}naming=shop\n {2}time_fraction=0\n$/)
  expect(stderr).toContain('`psp compare a.har --apply` writes them to psp.config.json.')
  expect(code).toBe(8)
})

test('`psp compare` marks a field that it shortens on a narrow terminal', async () => {
  const { cwd } = folderWith({ 'a.har': other })
  const { stdout } = await psp('compare a.har --color never', { cwd, terminal: true, columns: 80 })
  expect(stdout).toMatch(/^POST \/payments +…terminal_id +absent /m)
  expect(stdout).toMatch(/^POST \/payments +…created_at /m)
})

test('`psp compare` reads settings of the configuration file and of `--set`', async () => {
  const config = '{"settings":{"naming":"shop"}}'
  const { cwd } = folderWith({ 'a.har': other, 'psp.config.json': config })
  const { code, stdout } = await psp('compare a.har --set time_fraction=0', { cwd })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^No difference/)])
})

test('`--apply` writes the settings and keeps the rest of the file, and then the sandbox agrees', async () => {
  const config = '{\n    "port": 7999,\n    "settings": {\n        "magic": false\n    }\n}\n'
  const { cwd, text } = folderWith({ 'a.har': other, 'psp.config.json': config })
  const { code, stdout } = await psp('compare a.har --apply', { cwd })
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/\nCompared again with these settings: 0 differences remain\.\n$/),
  ])
  expect(text('psp.config.json')).toBe(
    '{\n    "port": 7999,\n    "settings": {\n        "magic": false,\n        "naming": "shop",\n        "time_fraction": 0\n    }\n}\n',
  )
  expect((await psp('compare a.har', { cwd })).stdout).toMatch(/^No difference/)
})

test('`--apply` shows the differences that remain with the written settings, and why', async () => {
  const document = JSON.parse(other)
  document.log.entries[0].response.content.text = document.log.entries[0].response.content.text.replace(
    '"amount":100,',
    '"amount":100,"receipt":true,',
  )
  const { cwd } = folderWith({ 'a.har': JSON.stringify(document) })
  const env = { PSP_SET_TIME_FRACTION: '3' }
  const ran = await psp('compare a.har --apply', { cwd, env })
  expect(ran.stdout).toMatch(/\nCompared again with these settings: \d+ differences remain:\nkind +operation/)
  const left = ran.stdout.slice(ran.stdout.indexOf('Compared again'))
  expect(left).toMatch(/\nmissing +POST \/payments +payment\.receipt .*no setting changes it\n/)
  expect(left).toMatch(/\nformat .*payment\.created_at .*PSP_SET_TIME_FRACTION overrides time_fraction\n/)
  expect(left).not.toContain('terminal')
  expect(ran.code).toBe(8)
  const fresh = folderWith({ 'a.har': JSON.stringify(document) })
  const json = jsonOf(await psp('compare a.har --apply --json', { cwd: fresh.cwd })) as {
    after: { differences: unknown[] }
  }
  expect(json.after.differences).toEqual([
    expect.objectContaining({ at: 'payment.receipt', reason: 'no setting changes it' }),
  ])
})

test('`--apply` creates the file if there is none, and changes nothing without a proposal', async () => {
  const { cwd, text } = folderWith({ 'a.har': other, 'equal.har': equal })
  await psp('compare equal.har --apply', { cwd })
  expect(() => text('psp.config.json')).toThrow('ENOENT')
  await psp('compare a.har --apply', { cwd })
  expect(JSON.parse(text('psp.config.json'))).toEqual({ settings: { naming: 'shop', time_fraction: 0 } })
})

test.each([
  ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['CRLF', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
])('`--apply` keeps %s of the file', async (_, encoded) => {
  const { cwd } = folderWith({ 'a.har': other })
  const config = join(cwd, 'psp.config.json')
  writeFileSync(config, encoded('{\n  "settings": {\n    "magic": false\n  }\n}\n'))
  const { code, stderr } = await psp('compare a.har --apply', { cwd })
  expect(code, stderr).toBe(0)
  const settings = '{\n    "magic": false,\n    "naming": "shop",\n    "time_fraction": 0\n  }'
  expect(readFileSync(config)).toEqual(encoded(`{\n  "settings": ${settings}\n}\n`))
})

test.each([
  ['a.har --junit a.har --force', '--junit names a.har, which this command also uses.'],
  ['a.har --junit ./link.har --force', '--junit names a.har, which this command also uses.'],
  ['a.har --apply --junit psp.config.json', '--junit names psp.config.json, which this command also uses.'],
])('`psp compare %s` is refused and changes nothing', async (line, message) => {
  const { cwd, text } = folderWith({ 'a.har': other })
  symlinkSync('a.har', join(cwd, 'link.har'))
  const { code, stderr } = await psp(`compare ${line}`, { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  expect(text('a.har')).toBe(other)
  expect(() => text('psp.config.json')).toThrow('ENOENT')
})

test('`--apply` warns if a variable overrides a setting that it writes', async () => {
  const { cwd } = folderWith({ 'a.har': other })
  const { stderr } = await psp('compare a.har --apply', { cwd, env: { PSP_SET_NAMING: 'terminal' } })
  expect(stderr).toContain('PSP_SET_NAMING overrides naming of psp.config.json. Unset PSP_SET_NAMING')
})

test('`--json` prints one document, and `--junit` writes a test for each operation', async () => {
  const { cwd, text } = folderWith({ 'a.har': other })
  const ran = await psp('compare a.har --json --junit c.xml', { cwd })
  expect(ran.code).toBe(8)
  expect(jsonOf(ran)).toMatchObject({
    file: 'a.har',
    skipped: [],
    applied: false,
    remaining: 0,
    differences: expect.arrayContaining([
      {
        kind: 'added',
        operation: 'POST /v1/public/payments',
        at: 'payment.terminal_id',
        recorded: 'absent',
        sandbox: expect.any(String),
        entry: 1,
        count: 1,
        setting: 'naming',
      },
    ]),
    proposals: [
      { setting: 'naming', value: 'shop', removes: expect.any(Number) },
      { setting: 'time_fraction', value: 0, removes: expect.any(Number) },
    ],
  })
  expect(text('c.xml')).toContain('<testcase classname="psp.compare" name="GET /v1/public/banks/sbp"/>')
  expect(text('c.xml')).toMatch(/<failure message="\d+ differences" type="difference">/)
})

test('a recording of another tool shows no secret and no personal data in the reports', async () => {
  const document = JSON.parse(equal)
  const [created] = document.log.entries
  created.request.headers.push({ name: 'X-Trace', value: 'whs_notarealsecretatall' })
  const body = JSON.parse(created.response.content.text)
  body.payment.note = 'sk_test_abc123_notarealsecretatall'
  body.payment.contact = { phone: '+79161234567', full_name: 'Иванов Иван', card: '2200000000010003' }
  body.payment.hint = 'call +7 916 123-45-67'
  created.response.content.text = JSON.stringify(body)
  const { cwd, text } = folderWith({ 'a.har': JSON.stringify(document) })
  const ran = await psp('compare a.har --json --junit c.xml', { cwd })
  const shown = await psp('compare a.har', { cwd })
  const all = ran.stdout + ran.stderr + shown.stdout + shown.stderr + text('c.xml')
  expect(all).toContain('payment.note')
  for (const secret of ['notarealsecret', '9161234567', '916 123', 'Иванов', '2200000000010003']) {
    expect(all).not.toContain(secret)
  }
})

const ENTRY = { startedDateTime: '2026-05-06T12:00:00Z', time: 1, response: { status: 200 } }

test.each([
  ['{"log":{"entries":[', 'is incomplete: it ends before the first entry is complete, at byte 19.'],
  ['{"log":{"entries":[}', 'is not valid JSON before the first entry, between bytes 1 and 20'],
  ['{"log":{"entries":[]}}', 'a.har has no exchanges.'],
  ['', 'a.har is empty.'],
  ['hello', 'is not valid JSON'],
  ['\0\0\0\0', 'a.har is not valid JSON'],
  [' \n\t', 'a.har is empty.'],
  [
    JSON.stringify({ log: { entries: [{ ...ENTRY, request: { method: 'GET', url: 'https://other.example/a' } }] } }),
    'The exchange in a.har does not belong to the public API.',
  ],
])('a file with %j ends the command with 2 and the reason', async (text, reason) => {
  const { cwd } = folderWith({ 'a.har': text })
  const { code, stderr } = await psp('compare a.har', { cwd })
  expect(stderr).toContain(reason)
  expect(stderr).not.toContain('--format')
  expect(code).toBe(2)
})

test('a payment from before the recording is created in the sandbox with its state', async () => {
  const document = JSON.parse(equal)
  document.log.entries.shift()
  const { cwd } = folderWith({ 'a.har': JSON.stringify(document) })
  const { code, stdout } = await psp('compare a.har', { cwd })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^No difference/)])
})
