// A header that cannot be sent is refused before the command starts. All other headers are sent.
import { expect, onTestFinished, test } from 'vitest'
import { forwardHeader, headerLine, requestHeader, requireSendable } from '../../../src/cli/parsing/parse-header.ts'
import { createNodeFetch } from '../../../src/client/node-fetch.ts'
import { createTransport } from '../../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { receiver } from '../../delivery/receiver.ts'
import { psp } from '../helpers.ts'
import { issueOf } from '../issue-of.ts'

const UNSENDABLE = [
  'X-Name: Ёлка',
  'X-Name: a\u0000b',
  'X-Name: a\nX-Other: b',
  'X-Name: 🦔',
  'Expect: 100-continue',
  'EXPECT: other',
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'Connection: close',
  'Keep-Alive: timeout=5',
  'Proxy-Connection: keep-alive',
  'Upgrade: h2c',
  'HTTP2-Settings: AAMAAABkAAQAAP__',
  'TE: trailers',
  'Trailer: X-Sum',
  'X Name: 1',
  'Имя: 1',
  ': 1',
]

const SIGNED = ['X-PSP-Signature: x', 'x-psp-event-id: 1', 'X-PSP-Timestamp: 1', 'Content-Encoding: gzip']

const COMMANDS = ['listen --forward 3000', 'audit localhost:3000/hooks']

test.each(COMMANDS.flatMap((command) => UNSENDABLE.map((header) => [command, header] as const)))(
  '`psp %s` refuses --header %j',
  async (command, header) => {
    const { code, stdout, stderr } = await psp([...command.split(' '), '--header', header])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd().split('\n')).toHaveLength(2)
    expect(stderr).toMatch(/such as --header '[\w-]+: \w+'/)
  },
)

test.each(COMMANDS.flatMap((command) => SIGNED.map((header) => [command, header] as const)))(
  '`psp %s` refuses --header %j, which would break the signature or the body',
  async (command, header) => {
    const { code, stdout, stderr } = await psp([...command.split(' '), '--header', header])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`${header.split(':')[0]} cannot be set`)
    expect(stderr).toMatch(/such as --header '[\w-]+: \w+'/)
  },
)

test.each(['listen --forward 3000', 'audit localhost:3000/hooks', 'request GET /_psp/health'])(
  '`psp %s` refuses a header value above 8192 bytes',
  async (command) => {
    const { code, stderr } = await psp([...command.split(' '), '--header', `X-Long: ${'a'.repeat(8193)}`])
    expect(code).toBe(2)
    expect(stderr).toContain('The value of X-Long is 8193 bytes long')
    expect(headerLine(`X-Long: ${'a'.repeat(8192)}`)).toHaveLength(2)
  },
)

test.each(COMMANDS)(
  '`psp %s` refuses headers of more than 12288 bytes together, and a second Host',
  async (command) => {
    const long = `X-Long: ${'a'.repeat(8000)}`
    const huge = await psp([...command.split(' '), '--header', long, '--header', long])
    expect([huge.code, huge.stderr]).toEqual([2, expect.stringContaining('The headers are 16020 bytes long together')])
    const hosts = await psp([...command.split(' '), '--header', 'Host: a.example', '--header', 'host: b.example'])
    expect([hosts.code, hosts.stderr]).toEqual([2, expect.stringContaining('Host is given twice')])
  },
)

test.each(['X-Name: Ёлка', 'Transfer-Encoding: chunked', 'Content-Length: 5', 'X Name: 1'])(
  '`psp request` refuses --header %j',
  async (header) => {
    const { code, stdout, stderr } = await psp(['request', 'GET', '/_psp/health', '--header', header])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/such as --header '[\w-]+: \w+'/)
  },
)

const SENDABLE = [
  'X-Name: café',
  'X-Empty:',
  'Host: shop.example',
  'Authorization: Basic eDp5',
  'Cookie: a=b; c=d',
  'Content-Type: application/cloudevents+json',
  'Accept-Encoding: gzip',
  'Date: Wed, 06 May 2026 12:00:00 GMT',
  'Via: 1.1 proxy',
  'Forwarded: for=192.0.2.1',
  'Max-Forwards: 3',
  'X-Tab: a\tb',
  "!#$%&'*+.^_`|~0: odd",
]

test.each(SENDABLE)('the header %j is accepted and sent with webhooks and audits', async (line) => {
  const [name, value] = forwardHeader(line)
  const to = await receiver()
  const transport = createTransport(createSystemClock())
  const { fetch, close } = createNodeFetch()
  onTestFinished(async () => {
    close()
    await transport.close()
  })
  const body = Buffer.from('{}')
  const answer = await transport.send({ url: to.url, headers: [[name, value]], body, deadline_ms: 20_000 })
  expect(answer).toMatchObject({ status: 200 })
  const reply = await fetch(to.url, { method: 'POST', headers: { [name]: value }, body: new Uint8Array(body) })
  expect(reply.status).toBe(200)
  await reply.text()
  expect(to.received.map(({ headers }) => headers[name.toLowerCase()])).toEqual([value, value])
})

test('headers of 12288 bytes together are sent, and one byte more is refused', () => {
  // A line is the name, a colon, a space, the value and a line end.
  const first = ['A', 'x'.repeat(8192)] as const
  const second = (bytes: number) => ['B', 'x'.repeat(bytes - 5 - 8197)] as const
  expect(issueOf(() => requireSendable([first, second(12_288)]))).toBeUndefined()
  expect(issueOf(() => requireSendable([first, second(12_289)]))).toEqual([
    'The headers are 12289 bytes long together; at most 12288 are sent.',
    'Omit some of them.',
  ])
})

test.each([
  ['A: b', ['A', 'b']],
  ['A : b ', ['A', 'b']],
  ['A: b;', ['A', 'b;']],
  ['Ab;', ['Ab', '']],
  ['A:', ['A', null]],
  ['A:;', ['A', ';']],
])('`psp request` reads the header %j as curl does', (text, header) => {
  expect(requestHeader(text)).toEqual(header)
})

test('`psp request` refuses a header with a semicolon in its name', () => {
  expect(issueOf(() => requestHeader('A;b: c'))).toEqual([
    '"A;b: c" is not a header.',
    "Write it as 'Name: value', such as --header 'X-Trace: 1'.",
  ])
})

test('a header that cannot be sent is refused with the reason', () => {
  expect(issueOf(() => headerLine('Имя: 1'))).toEqual([
    '"Имя: 1" is not a header.',
    "Write it as 'Name: value', such as --header 'X-Trace: 1'.",
  ])
  expect(issueOf(() => headerLine('X-Name: Ё'))).toEqual([
    'The value of X-Name has characters that cannot be sent in a header.',
    "Use Latin-1 characters on one line, such as --header 'X-Name: 1'.",
  ])
  expect(issueOf(() => headerLine('content-Length: 1'))).toEqual([
    'content-Length cannot be set: psp manages the connection and the length of the body.',
    "Omit it. Any other header can be added, such as --header 'X-Trace: 1'.",
  ])
  expect(headerLine('Connection: close')).toEqual(['Connection', 'close'])
})
