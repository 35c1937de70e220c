// `psp config` shows the values that apply, not only the configured ones.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { closeHandlers, createTestDir, jsonOf, psp, serveHandler, startPsp, waitUntil } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>
beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

/** A busy machine may respond later than within the 500 ms in which the command looks for a server. */
const systemClock = {
  ...createSystemClock(),
  setTimeout: (then: () => void, ms: number) => createSystemClock().setTimeout(then, ms * 100),
}

const run = (line: string, env: Record<string, string> = {}) => psp(line, { cwd: folder.path, env, systemClock })
type Shown = Record<string, { value: unknown; origin: string }>

async function serving<T>(flags: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  const server = startPsp(['serve', '--port', '0', '--json', ...flags], { cwd: folder.path })
  const url = JSON.parse(await waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0])).url
  try {
    return await use(url)
  } finally {
    server.signal('SIGINT')
    await server.ended
  }
}

test('`psp config` shows the server that it found, and the origin and beginning of each secret', async () => {
  await serving([], async (url) => {
    const { url: at, api_key, webhook_secret } = jsonOf(await run('config --json')) as Shown
    expect(at).toEqual({ value: url, origin: 'server of .psp' })
    expect(api_key).toEqual({ value: 'sk_test_***', origin: 'server of .psp' })
    expect(webhook_secret).toEqual({ value: 'whs_psp0***', origin: 'server of .psp' })
    expect(jsonOf(await run('config --json', { PSP_API_KEY: 'sk_live_abc' }))).toMatchObject({
      api_key: { value: 'sk_live_***', origin: 'PSP_API_KEY' },
    })
    expect((await run('config')).stdout).toMatch(new RegExp(`^url +${url} +server of .psp$`, 'm'))
  })
})

test('`psp config` without a server shows the values that `psp serve` will use', async () => {
  const { url, api_key } = jsonOf(await run('config --json', { PSP_PORT: '7771' })) as Shown
  expect(url).toEqual({ value: 'http://127.0.0.1:7771', origin: 'psp serve, when it runs' })
  expect(api_key).toEqual({ value: 'sk_test_***', origin: 'new .psp' })
  await run('payments create --amount 100')
  expect(jsonOf(await run('config --json'))).toMatchObject({ api_key: { value: 'sk_test_***', origin: '.psp' } })
})

test('`psp config` with a URL shows the credentials of the server there, not of the data directory', async () => {
  await serving([], async (url) => {
    const origin = `server at ${url}`
    expect(jsonOf(await run('config --json', { PSP_URL: url }))).toMatchObject({
      url: { value: url, origin: 'PSP_URL' },
      api_key: { value: 'sk_test_***', origin },
      signing_secret: { value: 'thm_psp0***', origin },
      webhook_secret: { value: 'whs_psp0***', origin },
    })
  })
})

test('`psp config` sends only a health check to a server that is not psp', async () => {
  const received: (string | undefined)[] = []
  const url = await serveHandler((request, response) => {
    received.push(request.url)
    response.end('{}')
  })
  expect(jsonOf(await run('config --json', { PSP_URL: url }))).toMatchObject({ signing_secret: { value: null } })
  closeHandlers()
  expect(received).toEqual(['/_psp/health'])
})

test('`psp config` shows the next URL and no credentials if the data directory cannot be opened', async () => {
  writeFileSync(join(folder.path, '.psp'), '')
  expect(jsonOf(await run('config --json'))).toMatchObject({
    url: { value: 'http://127.0.0.1:7770', origin: 'psp serve, when it runs' },
    api_key: { value: null },
    webhook_secret: { value: null },
  })
})

test('`psp config --env` leaves the key empty if it is revoked', async () => {
  await serving([], async () => {
    const { items } = jsonOf(await run('keys list --json')) as { items: { id: string }[] }
    expect((await run(`keys revoke ${items[0]?.id}`)).code).toBe(0)
    expect(variables((await run('config --env')).stdout)).toMatchObject({
      PSP_API_KEY: '',
      PSP_SIGNING_SECRET: start.signing_secret,
    })
  })
})

test.each([
  ['no credentials if nothing listens at the URL', { PSP_URL: 'http://127.0.0.1:9' }, 'http://127.0.0.1:9', null],
  ['no URL if `psp serve` will choose its port', { PSP_PORT: '0' }, null, 'thm_psp0***'],
])('`psp config` shows %s', async (_, env, url, secret) => {
  const shown = jsonOf(await run('config --json', env))
  expect(shown).toMatchObject({ url: { value: url }, signing_secret: { value: secret } })
})

const variables = (stdout: string) =>
  Object.fromEntries(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=', 2)),
  )

test('`psp config --env` prints a .env file, with and without a server', async () => {
  const wanted = {
    PSP_API_KEY: start.api_key,
    PSP_SIGNING_SECRET: start.signing_secret,
    PSP_WEBHOOK_SECRET: start.webhook_secret,
  }
  const before = await run('config --env', { PSP_PORT: '1' })
  expect(variables(before.stdout)).toEqual({ PSP_URL: 'http://127.0.0.1:1', ...wanted })
  expect(before.stderr).toBe('PSP_URL is the address of the next `psp serve`.\n')
  const configured = await run('config --env', { PSP_PORT: '1', PSP_API_KEY: 'sk_live_abc' })
  expect(variables(configured.stdout)).toEqual({ PSP_URL: 'http://127.0.0.1:1', ...wanted, PSP_API_KEY: 'sk_live_abc' })
  await serving([], async (url) => {
    expect(variables((await run('config --env')).stdout)).toEqual({ PSP_URL: url, ...wanted })
    expect(jsonOf(await run('config --env --json'))).toEqual({ PSP_URL: url, ...wanted })
  })
})

test('`psp config --env` prints generated secrets, and leaves the key empty because only its hash is stored', async () => {
  await serving(['--generate-credentials'], async (url) => {
    const { stdout, stderr } = await run('config --env')
    expect(variables(stdout)).toMatchObject({ PSP_URL: url, PSP_API_KEY: '' })
    expect(variables(stdout)['PSP_WEBHOOK_SECRET']).toMatch(/^whs_(?!psp0)/)
    expect(stderr).toContain('Fill in PSP_API_KEY yourself')
  })
  // No server is running now, so the command reads the data directory, and reports this once.
  const { stdout, stderr } = await run(`config --env --data ${join(folder.path, '.psp')}`)
  expect(variables(stdout)['PSP_WEBHOOK_SECRET']).toMatch(/^whs_(?!psp0)/)
  expect(stderr.match(/No server is running/g)).toHaveLength(1)
})
