// `psp record` between curl and nginx, with bodies of every kind, until it is killed.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { reservedPort } from '../ports.ts'
import { BIN, createWorkspace } from './helpers.ts'

const NGINX = ['/usr/sbin/nginx', 'nginx'].find((path) => execaSync(path, ['-v'], { reject: false }).exitCode === 0)
const CURL = execaSync('curl', ['--version'], { reject: false }).exitCode === 0

interface Entry {
  startedDateTime: string
  request: { method: string }
  response: { status: number; content: { size: number; text?: string } }
  comment?: string
}

let workspace: ReturnType<typeof createWorkspace>
const cleanups: (() => unknown)[] = []
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
  await workspace.remove()
})

/** The entries in the order of their requests. The file has them in the order of their ends. */
const entries = () =>
  JSON.parse(readFileSync(join(workspace.cwd, 'session.har'), 'utf8')).log.entries.sort(
    (a: Entry, b: Entry) => Date.parse(a.startedDateTime) - Date.parse(b.startedDateTime),
  )

async function startRecording(to: string, out = ['--out', 'session.har'], env: Record<string, string> = {}) {
  const argv = ['record', '--to', to, '--port', '0', ...out, '--json']
  const { child, first, lines } = await workspace.start(argv, /"type":"ready"/, 'stdout', env)
  return { child, lines, url: JSON.parse(first).url as string }
}

describe.skipIf(NGINX === undefined || !CURL)('nginx and curl (skipped: not installed)', () => {
  /** Runs curl and returns its output as bytes. */
  const curl = async (args: string[], input?: Uint8Array) => {
    const { stdout } = await execa('curl', ['-s', '--max-time', '60', ...args], {
      encoding: 'buffer',
      stripFinalNewline: false,
      ...(input === undefined ? {} : { input }),
    })
    return Buffer.from(stdout)
  }

  test('bodies pass through unchanged, whatever their framing, and the file survives a kill', async () => {
    const { nginx, big, page } = await startNginx()
    const { child, url } = await startRecording(nginx)
    expect((await curl([`${url}/big.bin`])).equals(big)).toBe(true)
    expect((await curl(['--compressed', `${url}/page.html`])).toString()).toBe(page)
    expect((await curl(['--http1.0', `${url}/page.html`])).toString()).toBe(page)
    expect((await curl(['-r', '5-9', `${url}/big.bin`])).equals(big.subarray(5, 10))).toBe(true)
    const chunked = ['-H', 'Transfer-Encoding: chunked', '--data-binary', '@-', `${url}/echo`]
    expect((await curl(chunked, big)).equals(big)).toBe(true)
    const expecting = ['-H', 'Expect: 100-continue', '--expect100-timeout', '30', '--data-binary', '@-', `${url}/echo`]
    expect((await curl(expecting, big)).equals(big)).toBe(true)
    const refused = await curl(['-H', 'Expect: 100-continue', '--data-binary', '@-', `${url}/small`], big)
    expect(refused.toString()).toContain('413 Request Entity Too Large')
    expect((await curl(['-I', `${url}/page.html`])).toString()).toMatch(/^HTTP\/1\.1 200 OK\r\nServer: nginx/)
    // The entry is written while curl ends.
    while (entries().length < 8) await new Promise(setImmediate)
    child.kill('SIGKILL')
    await child
    const recorded: Entry[] = entries()
    expect(recorded.map(({ request, response }) => `${request.method} ${response.status}`)).toEqual([
      'GET 200',
      'GET 200',
      'GET 200',
      'GET 206',
      'POST 200',
      'POST 200',
      'POST 413',
      'HEAD 200',
    ])
    const size = Buffer.byteLength(page)
    expect(recorded[1]?.response.content).toEqual({ size: expect.any(Number), mimeType: 'text/html' })
    expect(recorded[2]?.comment).toBe(`The response body (${size} bytes) is not recorded: it is not JSON.`)
  })

  async function startNginx() {
    // nginx sends no request body after it has received a response.
    const echo = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      response.end(Buffer.concat(chunks))
    })
    await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done))
    cleanups.push(() => echo.close())
    const port = await reservedPort()
    const prefix = join(workspace.cwd, 'nginx')
    // The workers run as another user.
    chmodSync(workspace.cwd, 0o755)
    mkdirSync(join(prefix, 'www'), { recursive: true })
    const big = randomBytes(8_000_000)
    const page = `<p>${'äöü '.repeat(10_000)}</p>`
    writeFileSync(join(prefix, 'www/big.bin'), big)
    writeFileSync(join(prefix, 'www/page.html'), page)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${prefix}/${name};`,
    )
    const text = `daemon off; worker_processes 1; pid ${prefix}/pid; error_log ${prefix}/error.log;
events {}
http { access_log off; ${paths.join(' ')} gzip on; gzip_min_length 1; types { text/html html; }
server { listen 127.0.0.1:${port}; client_max_body_size 20m; root ${prefix}/www;
location /echo { proxy_http_version 1.1; proxy_request_buffering off; proxy_pass http://127.0.0.1:${(echo.address() as AddressInfo).port}; }
location /small { client_max_body_size 10; } } }`
    writeFileSync(join(prefix, 'nginx.conf'), text)
    const child = execa(NGINX ?? '', ['-p', prefix, '-c', join(prefix, 'nginx.conf')], { reject: false })
    cleanups.push(async () => {
      child.kill('SIGTERM')
      await child
    })
    const nginx = `http://127.0.0.1:${port}`
    while ((await fetch(`${nginx}/page.html`).catch(() => undefined)) === undefined) await new Promise(setImmediate)
    return { nginx, big, page }
  }
})

test('a recorded session of `psp serve` with its event stream does not differ from a fresh sandbox', async () => {
  const { ready } = await workspace.serve('--ephemeral', '--set', 'delays.bank=20ms', '--set', 'delays.session=20ms')
  const { child, url } = await startRecording(ready.url)
  const headers = { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' }
  const stream = await fetch(`${url}/v1/public/events`, { headers })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":100,"method":"sbp"}' })
  let text = ''
  while (!text.includes('"succeeded"')) text += (await reader?.read())?.value ?? ''
  child.kill('SIGTERM')
  expect((await child).exitCode).toBe(0)
  await reader?.cancel().catch(() => {})
  expect(entries()).toHaveLength(2)
  const { exitCode, stdout } = await workspace.psp('compare', 'session.har')
  expect([exitCode, stdout]).toEqual([0, 'No difference in 2 exchanges.'])
})

test('a recording that cannot be written keeps the older file, and leaves no incomplete key', async () => {
  const older = join(workspace.cwd, 'session.har')
  const key = join(workspace.cwd, '.psp/pseudonym-key')
  await workspace.psp('payments', 'create', '--amount', '100')
  writeFileSync(older, 'older')
  const line = `ulimit -f 0; exec "${BIN}" record --to http://127.0.0.1:9 --port 0 --out session.har --force`
  const { exitCode, stderr } = await execa('sh', ['-c', line], { cwd: workspace.cwd, reject: false, stdin: 'ignore' })
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('session.har cannot be written')])
  expect([readFileSync(older, 'utf8'), existsSync(key)]).toEqual(['older', false])

  const { child } = await startRecording('http://127.0.0.1:9', ['--out', 'session.har', '--force'])
  child.kill('SIGINT')
  await child
  expect([entries(), readFileSync(key, 'utf8').trim().length]).toEqual([[], 32])
  expect(readdirSync(workspace.cwd).sort()).toEqual(['.psp', 'session.har'])
})

const OPENSSL = execaSync('openssl', ['version'], { reject: false }).exitCode === 0

test.skipIf(!OPENSSL)('a target with TLS is recorded if its certificate is trusted (skipped: no openssl)', async () => {
  const key = join(workspace.cwd, 'key.pem')
  const cert = join(workspace.cwd, 'cert.pem')
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  await execa('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...names])
  const options = { key: readFileSync(key), cert: readFileSync(cert) }
  const server = createTlsServer(options, (request, response) => response.end(`host ${request.headers.host}`))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  cleanups.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const to = `https://localhost:${port}`

  const refused = await startRecording(to, ['--out', 'refused.har'])
  const response = await fetch(refused.url)
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('TLS certificate')
  refused.child.kill('SIGINT')
  expect((await refused.child).stderr).toContain('NODE_EXTRA_CA_CERTS')

  const trusted = await startRecording(to, ['--out', 'session.har'], { NODE_EXTRA_CA_CERTS: cert })
  expect(await (await fetch(`${trusted.url}/a`)).text()).toBe(`host localhost:${port}`)
  trusted.child.kill('SIGINT')
  await trusted.child
  expect(entries()).toMatchObject([{ request: { url: `${to}/a` }, response: { status: 200 } }])
})
