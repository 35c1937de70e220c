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
  ['a shared server', '--host 0.0.0.0 --generate-credentials', {}, ['payments']],
  ['a shared server in memory', '--host 0.0.0.0 --generate-credentials --ephemeral', {}, ['payments']],
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
  const server = await serve('--host 0.0.0.0 --generate-credentials')
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
  const server = await serve('--host 0.0.0.0 --generate-credentials')
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
