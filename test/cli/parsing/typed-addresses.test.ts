// All typed addresses follow the same rules, and a key is never sent to a guessed host.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, psp, type RunOptions } from '../helpers.ts'

interface SeenRequest {
  readonly path: string | undefined
  readonly key: string | undefined
}
const requests: SeenRequest[] = []
const server = createServer((request, response) => {
  requests.push({ path: request.url, key: request.headers.authorization })
  response.setHeader('Content-Type', 'application/json')
  response.end('{"items":[]}')
})
const folder = createTestDir()
let port = 0

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.close()
  folder.remove()
})
beforeEach(() => {
  requests.length = 0
})

const BANKS = ['banks', '--json', '--api-key', 'sk_test_mine']

/** Gives an address by flag, by variable and by the file. */
const GIVEN: readonly (readonly [by: string, run: (address: string) => ReturnType<typeof psp>])[] = [
  ['--url', (address) => psp([...BANKS, `--url=${address}`])],
  ['PSP_URL', (address) => psp(BANKS, { env: { PSP_URL: address } })],
  [
    'psp.config.json',
    (address) => {
      writeFileSync(join(folder.path, 'psp.config.json'), JSON.stringify({ url: address }))
      return psp(BANKS, { cwd: folder.path })
    },
  ],
]

describe.each(GIVEN)('%s', (by, run) => {
  test.each([
    'PORT',
    ':PORT',
    'localhost:PORT',
    '0.0.0.0:PORT',
    '"http://127.0.0.1:PORT"',
    "'http://127.0.0.1:PORT/'\r",
    ' http://127.0.0.1:PORT/v1/public ',
    'http://127.0.0.1:PORT/api/v1/public/',
  ])('%s reaches the server with the key', async (form) => {
    const { code, stderr } = await run(form.replace('PORT', String(port)))
    expect([code, stderr]).toEqual([0, ''])
    expect(requests).toEqual([{ path: '/v1/public/banks/sbp', key: 'Bearer sk_test_mine' }])
  })

  test.each([
    ['psp.example', 'Write http://psp.example or https://psp.example'],
    ['psp.example:7770', 'Write http://psp.example:7770 or https://psp.example:7770'],
    ['http://7770', 'Write http://127.0.0.1:7770, localhost:7770 or 7770.'],
    ['ftp://localhost', 'Write http://127.0.0.1:7770, localhost:7770 or 7770.'],
    ['http://sk_test_mine@localhost', 'The API key is sent in a header'],
    ['http://localhost:7770?shop=1', 'Write http://127.0.0.1:7770, localhost:7770 or 7770.'],
  ])('%s is wrong usage with a hint, and nothing is sent', async (address, hint) => {
    const { code, stdout, stderr } = await run(address)
    const { error } = JSON.parse(stderr)
    expect([code, stdout, error.code]).toEqual([2, '', 'usage'])
    expect([error.message.startsWith(`${by}: `), error.hint]).toEqual([true, expect.stringContaining(hint)])
  })
})

test('every flag and argument that takes an address refuses the same texts', async () => {
  const lines: readonly (readonly string[])[] = [
    ['banks', '--url=ADDRESS'],
    ['serve', '--pay-url=ADDRESS'],
    ['serve', '--endpoint=ADDRESS'],
    ['exec', '--endpoint=ADDRESS', '--', 'true'],
    ['listen', '--forward=ADDRESS'],
    ['listen', '--route=payment.*=ADDRESS'],
    ['audit', 'ADDRESS'],
    ['audit', '3000', '--only', 'valid', '--probe=ADDRESS', '--secret', 'whs_x'],
    ['events', 'replay', 'evt_1', '--to=ADDRESS'],
    ['shops', 'create', '--endpoint=ADDRESS'],
    ['webhooks', 'endpoints', 'create', 'ADDRESS'],
    ['webhooks', 'endpoints', 'update', 'we_1', '--to=ADDRESS'],
    ['payments', 'create', '--amount=1', '--webhook-url=ADDRESS'],
  ]
  const wrong = [
    'http://7770',
    'http:///x',
    'ftp://localhost',
    'http://me:hunter2@localhost',
    'http://local host',
    'localhost:77700',
  ]
  for (const line of lines) {
    for (const address of wrong) {
      const argv = line.map((word) => word.replace('ADDRESS', address))
      const { code, stdout, stderr } = await psp(argv)
      expect([argv.join(' '), code, stdout]).toEqual([argv.join(' '), 2, ''])
      expect(stderr).not.toContain('hunter2')
    }
  }
})

test('--webhook-url and --return-url are sent as typed, without quotes, blanks and line ends', async () => {
  const env = { PSP_URL: String(port) }
  const line = ['payments', 'create', '--amount', '100', '--dry-run', '--json']
  const typed = ['--return-url', ' "https://shop.example/thanks?a=%20" ', '--webhook-url', "'http://Shop.example/x'\r"]
  const { stdout } = await psp([...line, ...typed], { env } satisfies RunOptions)
  expect(JSON.parse(stdout).requests[0].body).toMatchObject({
    return_url: 'https://shop.example/thanks?a=%20',
    webhook_url: 'http://Shop.example/x',
  })
})

test('`psp request` refuses a whole URL, and says how to write it', async () => {
  const { code, stderr } = await psp(['request', 'GET', 'http://127.0.0.1:1/v1/public/payments?limit=1'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('psp request GET /v1/public/payments?limit=1 --url http://127.0.0.1:1'),
  ])
  expect(requests).toEqual([])
})
