import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { afterEach, expect, test } from 'vitest'
import { temporaryPath } from '../../src/cli/output/temporary-file.ts'
import { VERSION } from '../../src/domain/version.ts'
import type { HarEntry } from '../../src/recordings/har.ts'
import { listenOnIPv6Only, refusingPort, reservedPort } from '../ports.ts'
import { rawServer } from '../recordings/wire.ts'
import { createTestDir, psp, type RunningPsp, startPsp, startTestServer, waitUntil } from './helpers.ts'

const KEY = 'sk_test_abc123_notarealsecretatall0'
const PHONE = '+79161234567'
const CARD = '2200000000010003'
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

interface Recording {
  readonly url: string
  readonly file: string
  readonly cwd: string
  readonly running: RunningPsp
  readonly ready: { readonly url: string; readonly port: number }
}

async function startRecording(to: string, ...flags: string[]): Promise<Recording> {
  return await startRecordingIn('session.har', to, flags)
}

async function startRecordingIn(name: string, to: string, flags: readonly string[] = []): Promise<Recording> {
  const dir = createTestDir()
  cleanups.push(dir.remove)
  mkdirSync(join(dir.path, 'below'))
  const argv = ['record', '--to', to, '--port', '0', '--out', name, '--json', ...flags]
  const running = startPsp(argv, { cwd: dir.path })
  const line = await waitUntil(() => /^\{"type":"ready".*$/m.exec(running.output())?.[0])
  const ready = JSON.parse(line) as Recording['ready']
  return { url: ready.url, file: join(dir.path, name), cwd: dir.path, running, ready }
}

const entriesOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')).log.entries as HarEntry[]

async function targetWith(json: unknown) {
  const body = JSON.stringify(json)
  const target = await rawServer(async (wire) => {
    await wire.until('\r\n\r\n')
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
    wire.socket.write(`${head}\r\n\r\n${body}`)
  })
  cleanups.push(target.close)
  return target
}

test('`psp record` writes each exchange to a file that is complete while it records', async () => {
  const server = await startTestServer()
  cleanups.push(server.close)
  const { url, file, running } = await startRecording(server.url)
  const { api_key } = server.sandbox.defaultShop()
  const response = await fetch(`${url}/v1/public/payments`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' },
    body: '{"amount":100}',
  })
  expect(response.status).toBe(201)
  const [entry] = await waitUntil(() => entriesOf(file).length === 1 && entriesOf(file))
  expect(entry).toMatchObject({
    request: { method: 'POST', url: `${server.url}/v1/public/payments`, postData: { text: '{"amount":100}' } },
    response: { status: 201 },
  })
  expect(JSON.parse(entry?.response.content.text ?? '')).toEqual(await response.json())
  running.signal('SIGINT')
  const { code, stdout, stderr } = await running.ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/"type":"request",.*"method":"POST","path":"\/v1\/public\/payments","status":201/)
  expect(stderr).toContain('1 exchange in session.har.')
  expect(JSON.parse(readFileSync(file, 'utf8')).log.creator).toMatchObject({ version: VERSION })
})

test('`psp record` prints each exchange like `psp logs`, with the code of an error', async () => {
  const server = await startTestServer()
  cleanups.push(server.close)
  const dir = createTestDir()
  cleanups.push(dir.remove)
  const running = startPsp(['record', '--to', server.url, '--port', '0', '--out', 'a.har'], { cwd: dir.path })
  const url = await waitUntil(() => /Requests to (\S+) are forwarded to/.exec(running.errors())?.[1])
  await fetch(`${url}/v1/public/banks/sbp`)
  expect(await waitUntil(() => running.output())).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} {2}401 {2}GET {4}\/v1\/public\/banks\/sbp {2}\d+ ms {2}unauthorized\n/,
  )
  running.signal('SIGTERM')
  expect((await running.ended).code).toBe(0)
})

test('a recording and its output contain no key, secret, card number, phone or name', async () => {
  const secrets = [KEY.slice(15), PHONE, CARD, 'Иванов', 'notasecretwebhook', 'topsecretcookie']
  const body = { recipient: { phone: PHONE, full_name: 'Иванов Иван' }, note: CARD, secret: 'whs_notasecretwebhook' }
  const target = await targetWith(body)
  const { url, file, running } = await startRecording(target.url)
  const response = await fetch(`${url}/v1/public/payouts?api_key=${KEY}&phone=${encodeURIComponent(PHONE)}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, Cookie: 'session=topsecretcookie' },
    body: JSON.stringify(body),
  })
  expect(await response.json()).toEqual(body)
  running.signal('SIGINT')
  const { stdout, stderr } = await running.ended
  const all = readFileSync(file, 'utf8') + stdout + stderr
  for (const secret of secrets) expect(all).not.toContain(secret)
  expect(all).toContain('sk_test_abc123_***')
})

test('`--keep-personal-data` keeps names and phones, and never a key or a card number', async () => {
  const target = await targetWith({ phone: PHONE, note: CARD })
  const { url, file, running } = await startRecording(target.url, '--keep-personal-data')
  await fetch(`${url}/`, { headers: { Authorization: `Bearer ${KEY}` } })
  running.signal('SIGINT')
  await running.ended
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(PHONE)
  for (const secret of [KEY.slice(15), CARD]) expect(text).not.toContain(secret)
})

test('a body above `--body-limit` is passed on whole, and the entry says that it is not recorded', async () => {
  const target = await targetWith({ text: 'x'.repeat(500) })
  const { url, file, running } = await startRecording(target.url, '--body-limit', '100')
  expect(await (await fetch(`${url}/`)).json()).toEqual({ text: 'x'.repeat(500) })
  running.signal('SIGINT')
  await running.ended
  const [entry] = entriesOf(file)
  expect(entry?.response.content).toEqual({ size: 511, mimeType: 'application/json' })
  expect(entry?.comment).toBe('The response body (511 bytes) is not recorded: it is longer than --body-limit.')
})

test('an open event stream is recorded up to its last message when the recording ends', async () => {
  const server = await startTestServer()
  cleanups.push(server.close)
  const { url, file, running } = await startRecording(server.url)
  const { api_key } = server.sandbox.defaultShop()
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
  const stream = await fetch(`${url}/v1/public/events`, { headers })
  const reader = stream.body?.getReader()
  await reader?.read()
  await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":100}' })
  await reader?.read()
  running.signal('SIGINT')
  const { stdout } = await running.ended
  await reader?.cancel().catch(() => {})
  // A client always ends a stream by closing the connection, so the output shows no error.
  const shown = stdout.split('\n').find((line) => line.includes('/events')) ?? expect.fail(stdout)
  expect(JSON.parse(shown)).not.toHaveProperty('message')
  const recorded = entriesOf(file).find(({ request }) => request.url.endsWith('/events'))
  expect(recorded?.response.content.text).toMatch(/^: connected\n\nevent: payment\.created\ndata: \{.*\}\n\n$/)
  expect(recorded?.comment).toContain('The recording ended')
})

test('a target that is not reachable gives a warning at the start, and 502 to the client', async () => {
  const { url, file, running } = await startRecording(`http://127.0.0.1:${await refusingPort()}`)
  expect(running.errors()).toContain('Connection refused')
  const response = await fetch(`${url}/v1/public/payments`)
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ error: { code: 'target_unreachable' } })
  running.signal('SIGINT')
  await running.ended
  expect(entriesOf(file)[0]).toMatchObject({
    response: { status: 0 },
    comment: expect.stringContaining('Connection refused'),
  })
})

test('`psp record` reaches a service at localhost that listens only on ::1', async ({ skip }) => {
  const service = createServer((_, response) => response.end('{}'))
  const port = await listenOnIPv6Only(service).catch(() => undefined)
  if (port === undefined) return skip('This machine has no IPv6.')
  cleanups.push(() => service.close())
  const { url, running } = await startRecording(`http://localhost:${port}`)
  expect((await fetch(`${url}/a`)).status).toBe(200)
  running.signal('SIGINT')
  expect((await running.ended).stderr).not.toContain('nothing listens')
})

test('the address of the proxy itself as `--to` is refused before anything is recorded', async () => {
  const port = String(await reservedPort())
  const dir = createTestDir()
  cleanups.push(dir.remove)
  const { code, stderr } = await psp(['record', '--to', `localhost:${port}`, '--port', port, '--out', 'a.har'], {
    cwd: dir.path,
  })
  expect(code).toBe(2)
  expect(stderr).toContain('is the address of the proxy itself')
  expect(stderr).toContain('Give the URL of the real service with --to, or another --port.')
})

test('a port that is in use ends the command with 9, and the file stays as it was', async () => {
  const target = await targetWith({})
  const { port } = new URL(target.url)
  const dir = createTestDir()
  cleanups.push(dir.remove)
  writeFileSync(join(dir.path, 'old.har'), '{"log":{}}')
  const argv = ['record', '--to', target.url, '--port', port, '--out', 'old.har', '--force']
  const { code, stderr } = await psp(argv, { cwd: dir.path })
  expect(code).toBe(9)
  expect(stderr).toContain(`Port ${port} on 127.0.0.1 is in use.`)
  expect(readFileSync(join(dir.path, 'old.har'), 'utf8')).toBe('{"log":{}}')
})

test.each([
  [['record'], '--to is missing'],
  [['record', '--to', 'api.real.example', '--out', 'a.har'], 'does not begin with http'],
  [['record', '--to', 'http://localhost:1'], '--out is missing'],
])('%j ends with 2 and names the missing flag', async (argv, message) => {
  const { code, stderr } = await psp(argv)
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test.each([
  ['its folder is removed', (file: string) => rmSync(dirname(file), { recursive: true })],
  ['another file takes its place', (file: string) => renameSync(`${file}.other`, file)],
  ['another program overwrites it', (file: string) => writeFileSync(file, '{}')],
])('a recording ends with 1 and reports the loss if %s', async (_, remove) => {
  const target = await targetWith({})
  const { url, file, running } = await startRecordingIn('below/session.har', target.url)
  await fetch(`${url}/`)
  await waitUntil(() => entriesOf(file).length === 1)
  writeFileSync(`${file}.other`, '{}')
  remove(file)
  running.signal('SIGINT')
  const { code, stderr } = await running.ended
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('session.har was removed or replaced, so 1 exchange is lost.'),
  ])
})

test('a recording whose file is removed reports it at the next exchange, and passes requests on', async () => {
  const target = await targetWith({})
  const { url, file, running } = await startRecording(target.url)
  rmSync(file)
  expect((await fetch(`${url}/`)).status).toBe(200)
  await waitUntil(() => running.errors().includes('session.har cannot be written: it was removed or replaced.'))
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(1)
})

test('a file that another process records is refused also with `--force`, and one of a dead process is not', async () => {
  const target = await targetWith({})
  const dir = createTestDir()
  cleanups.push(dir.remove)
  const path = join(dir.path, 'a.har')
  writeFileSync(path, '{}')
  const other = temporaryPath(path, process.ppid)
  writeFileSync(other, '')
  const argv = ['record', '--to', target.url, '--port', '0', '--out', 'a.har', '--force']
  const { code, stderr } = await psp(argv, { cwd: dir.path })
  expect([code, stderr]).toEqual([9, expect.stringContaining(`Process ${process.ppid} is writing a.har.`)])
  expect(readFileSync(path, 'utf8')).toBe('{}')
  renameSync(other, temporaryPath(path, 2 ** 22 + 1))
  const running = startPsp(argv, { cwd: dir.path })
  await waitUntil(() => running.errors().includes('Ready.'))
  running.signal('SIGINT')
  expect((await running.ended).code).toBe(0)
  expect(readdirSync(dir.path)).toEqual(['a.har'])
})

test('the end of a recording names the command that uses it, for webhooks and for requests', async () => {
  const target = await targetWith({})
  const dir = createTestDir()
  cleanups.push(dir.remove)
  for (const [file, headers, next] of [
    ['a.har', { 'X-PSP-Event-Id': 'evt_1' }, '`psp events import a.har` imports the webhooks.'],
    ['b.har', {}, '`psp compare b.har` shows how the sandbox differs.'],
  ] as const) {
    const running = startPsp(['record', '--to', target.url, '--port', '0', '--out', file], { cwd: dir.path })
    await waitUntil(() => running.errors().includes('Ready.'))
    await fetch(/Requests to (\S+)/.exec(running.errors())?.[1] ?? '', { method: 'POST', headers, body: '{}' })
    await waitUntil(() => running.output().includes('POST'))
    running.signal('SIGINT')
    await running.ended
    expect(running.errors()).toContain(`1 exchange in ${file}. ${next}`)
  }
})

test('an existing recording is replaced only with `--force`', async () => {
  const dir = createTestDir()
  cleanups.push(dir.remove)
  writeFileSync(join(dir.path, 'old.har'), '{"log":{}}')
  const { code, stderr } = await psp(['record', '--to', 'http://localhost:1', '--out', 'old.har'], { cwd: dir.path })
  expect([code, stderr]).toEqual([2, expect.stringContaining('old.har already exists')])
  expect(readFileSync(join(dir.path, 'old.har'), 'utf8')).toBe('{"log":{}}')
})

test('a file that cannot be created ends the command', async () => {
  const dir = createTestDir()
  cleanups.push(dir.remove)
  mkdirSync(join(dir.path, 'a.har'))
  const { code, stderr } = await psp(['record', '--to', 'http://localhost:1', '--out', 'a.har'], { cwd: dir.path })
  expect([code, stderr]).toEqual([1, expect.stringContaining('a.har cannot be written: it is a folder.')])
})

test.each(['', ' --force'])('a pipe or a device as `--out`%s is refused at once', async (flag) => {
  const dir = createTestDir()
  cleanups.push(dir.remove)
  await execa('mkfifo', [join(dir.path, 'pipe.har')])
  for (const name of ['pipe.har', '/dev/null', '/dev/full']) {
    const { code, stderr } = await psp(`record --to http://localhost:1 --out ${name}${flag}`, { cwd: dir.path })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${name} is a pipe or a device, and a recording needs a file.`),
    ])
  }
})
