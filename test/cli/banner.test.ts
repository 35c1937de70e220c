// Each command that the banner of `psp serve` suggests works in another shell in the same directory.

import { networkInterfaces } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, psp, type RunningPsp, startPsp, waitUntil } from './helpers.ts'

let folder: ReturnType<typeof createTestDir>
const running: RunningPsp[] = []
beforeEach(() => {
  folder = createTestDir()
})
afterEach(async () => {
  for (const one of running.splice(0)) {
    one.signal('SIGINT')
    await one.ended
  }
  folder.remove()
})

const TOKEN = 'a-token-of-this-test'

/** Flags of a shared server without a control token. */
const OWN_CREDENTIALS =
  '--host 0.0.0.0 --api-key sk_test_mine00_x --signing-secret thm_of_this_test --webhook-secret whs_of_this_test'

async function serve(flags: string, env: Record<string, string> = {}) {
  const words = `serve --port 0 ${flags}`.split(' ').filter((word) => word !== '')
  const server = startPsp(words, { cwd: folder.path, env })
  running.push(server)
  await waitUntil(() => server.errors().includes('Ctrl-C stops') || server.errors().includes('error '))
  return server
}

/** Returns the suggested commands as lists of words. */
function commandsOf({ errors }: RunningPsp): string[][] {
  const lines = errors()
    .split('\n')
    .flatMap((line) => /^ {2}psp (.*?)(?: {3}|$)/.exec(line)?.[1] ?? [])
  return lines.map((line) => line.split(' '))
}

/** Runs the command without the environment variables of the server. */
async function works(words: string[]): Promise<void> {
  const options = { cwd: folder.path, env: { PSP_PORT: '1' } }
  if (words[0] !== 'listen') {
    const { code, stderr } = await psp(words, options)
    expect([words.join(' '), code, stderr]).toEqual([words.join(' '), 0, stderr])
    return
  }
  const listener = startPsp(words, options)
  running.push(listener)
  const ready = waitUntil(() => /^Ready/m.test(listener.errors()))
  await Promise.race([ready, listener.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))])
}

describe.each([
  ['a server with a data directory', '', {}, ['listen', 'payments']],
  ['a server in memory', '--ephemeral', {}, ['listen', 'payments']],
  ['a server with its own credentials', '--generate-credentials', {}, ['listen', 'payments']],
  ['a server with a token', `--control-token ${TOKEN}`, {}, ['listen', 'payments']],
  [
    'a server with variables',
    '',
    { PSP_API_KEY: 'sk_test_mine00_x', PSP_CONTROL_TOKEN: TOKEN },
    ['listen', 'payments'],
  ],
  ['a shared server', '--host 0.0.0.0 --generate-credentials', {}, ['listen', 'payments']],
  ['a shared server in memory', '--host 0.0.0.0 --generate-credentials --ephemeral', {}, ['listen', 'payments']],
  ['a shared server without a token', OWN_CREDENTIALS, {}, ['payments']],
  [
    'a shared server with a token',
    `--host 0.0.0.0 --generate-credentials --control-token ${TOKEN}`,
    {},
    ['listen', 'payments'],
  ],
] as const)('the banner of %s', (_, flags, env, names) => {
  test('the banner suggests only commands that work', async () => {
    const server = await serve(flags, env)
    const commands = commandsOf(server)
    expect(commands.map(([name]) => name)).toEqual(names)
    for (const words of commands) await works(words)
  })
})

describe.each([
  ['a server', ''],
  ['a shared server with a token', `--host 0.0.0.0 --control-token ${TOKEN}`],
])('the banner of %s whose key was made earlier', (_, flags) => {
  test('the banner suggests only commands that work', async () => {
    const first = await serve('--generate-credentials')
    first.signal('SIGINT')
    await first.ended
    const server = await serve(flags)
    const commands = commandsOf(server)
    expect(commands.map(([name]) => name)).toEqual(['listen', 'keys'])
    for (const words of commands) await works(words)
  })
})

test('the banner of a shared server without a token says how to receive webhooks', async () => {
  const server = await serve(OWN_CREDENTIALS)
  expect(server.errors()).toContain('--endpoint')
  expect(server.errors()).toContain('--control-token')
})

test('the banner of a shared server names its address for other machines, and payment URLs contain it', async () => {
  const server = await serve('--host 0.0.0.0 --generate-credentials')
  const [own = '', key = ''] = ['URL', 'API_KEY'].map(
    (name) => new RegExp(`PSP_${name}=(\\S+)`).exec(server.errors())?.[1],
  )
  const shared = /Other machines reach it at (http:\/\/\S+)\./.exec(server.errors())?.[1] ?? own
  const found = Object.values(networkInterfaces()).flatMap((infos = []) => infos)
  expect(found.map(({ address }) => address)).toContain(new URL(shared).hostname)
  for (const url of [own, shared]) {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const made = await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body: '{"amount":100}' })
    const { payment_url } = (await made.json()) as { payment_url: string }
    expect(payment_url).toMatch(new RegExp(`^${shared}/pay/`))
    expect((await fetch(payment_url, { headers: { Accept: 'text/html' } })).status).toBe(200)
  }
})

test('the note about an event without a receiver suggests only flags that work', async () => {
  const server = await serve(OWN_CREDENTIALS)
  const [create = []] = commandsOf(server)
  await works([...create, '--method', 'cards', '--outcome', 'succeeded'])
  const line = await waitUntil(() =>
    server
      .errors()
      .split('\n')
      .find((one) => /^payment\.\w+ has no receiver/.test(one)),
  )
  expect(line).not.toContain('psp listen')
  expect(line).toContain('--endpoint')
})

describe('the links to the dashboard', () => {
  const linksOf = ({ errors }: RunningPsp) =>
    [...errors().matchAll(/^ {2}(Dashboard[^:]*): (\S+)$/gm)].map(
      ([, label, link = '']) => [label, new URL(link)] as const,
    )

  test('a local server needs no token, so its link has none', async () => {
    const links = linksOf(await serve(''))
    expect(links.map(([label, { hostname, hash }]) => [label, hostname, hash])).toEqual([
      ['Dashboard', '127.0.0.1', ''],
    ])
  })

  test('a shared server with generated credentials generates a token, and the link contains it', async () => {
    const server = await serve('--host 0.0.0.0 --generate-credentials')
    const [[, link] = []] = linksOf(server)
    const token = /^#token=([a-z0-9]{32})$/.exec(link?.hash ?? '')?.[1]
    const ask = (authorization: string) =>
      fetch(new URL('/_psp/clock', link), { headers: { authorization } }).then(({ status }) => status)
    expect(await ask(`Bearer ${token}`)).toBe(200)
    expect(await ask('Bearer other')).toBe(401)
  })

  test('the view token has a link for reading only', async () => {
    const server = await serve(`--control-token ${TOKEN} --view-token of-the-team-lead`)
    expect(linksOf(server).map(([label, { hash }]) => [label, hash])).toEqual([
      ['Dashboard', `#token=${TOKEN}`],
      ['Dashboard, read only', '#token=of-the-team-lead'],
    ])
  })

  test('--json contains a generated token, and no other one', async () => {
    const ready = async (flags: string) => {
      const server = startPsp(`serve --port 0 --json ${flags}`.split(' '), { cwd: folder.path })
      running.push(server)
      const line = await waitUntil(() =>
        server
          .output()
          .split('\n')
          .find((one) => one.startsWith('{')),
      )
      return JSON.parse(line) as { control_token?: string }
    }
    expect((await ready('--ephemeral --host 0.0.0.0 --generate-credentials')).control_token).toMatch(/^[a-z0-9]{32}$/)
    expect(await ready(`--ephemeral --control-token ${TOKEN}`)).not.toHaveProperty('control_token')
  })
})

describe('secrets of the environment', () => {
  const env = {
    PSP_API_KEY: 'sk_test_mine00_x',
    PSP_CONTROL_TOKEN: TOKEN,
    PSP_WEBHOOK_SECRET: 'whs_of_the_environment',
  }

  test('the banner of a shared server does not print them', async () => {
    const server = await serve('--host 0.0.0.0 --generate-credentials', env)
    for (const secret of Object.values(env)) expect(server.errors()).not.toContain(secret)
    expect(server.errors()).toContain('--control-token "$PSP_CONTROL_TOKEN"')
  })

  test('the banner of a local server prints them', async () => {
    const server = await serve('', env)
    for (const secret of Object.values(env)) expect(server.errors()).toContain(secret)
  })
})

test('`psp serve` refuses a view token that is also the control token, because it would permit changes', async () => {
  const server = await serve(`--control-token ${TOKEN} --view-token ${TOKEN}`)
  const { code, stderr } = await server.ended
  expect(code).toBe(2)
  expect(stderr).toContain('The view token and the control token are the same.')
})

test.each(['control-token', 'view-token'])('`psp serve` refuses a --%s that is too long for a header', async (flag) => {
  const { code, stderr } = await serve(`--ephemeral --${flag} ${'x'.repeat(513)}`).then(({ ended }) => ended)
  expect(code).toBe(2)
  expect(stderr).toContain(`--${flag}: A token has at most 512 characters, and this one has 513.`)
})
