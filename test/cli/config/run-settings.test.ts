import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDir, jsonOf, psp, startPsp, waitUntil } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>

beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

const run = (line: string, env: Record<string, string> = {}) =>
  psp(line, { cwd: folder.path, env: { PSP_PORT: '1', ...env } })
const origin = async (name: string) => (await run(`settings ${name}`)).stdout.split('\n')[1]?.split(/ {2,}/)[3]

async function serve(flags: string[], env: Record<string, string> = {}) {
  const running = startPsp(['serve', '--port', '0', '--json', ...flags], { cwd: folder.path, env })
  await waitUntil(() => running.output().includes('\n'))
  return {
    async end() {
      running.signal('SIGTERM')
      await running.ended
    },
  }
}

test('flags, the environment and the file apply to one run, and the server names the origin of each setting', async () => {
  writeFileSync(join(folder.path, 'psp.config.json'), '{"settings": {"link_ttl": "2h"}}')
  const flags = ['--buyer', 'manual', '--rate-limit', '9', '--set', 'default_outcome=pending']
  const server = await serve(flags, { PSP_SET_MAGIC: 'false' })
  expect(await origin('buyer')).toBe('--buyer')
  expect(await origin('rate_limit')).toBe('--rate-limit')
  expect(await origin('default_outcome')).toBe('--set')
  expect(await origin('magic')).toBe('PSP_SET_MAGIC')
  expect(await origin('link_ttl')).toBe('psp.config.json')
  expect(await origin('delays.bank')).toBe('default')
  const set = await run('settings set buyer=auto delays.bank=2s')
  expect(set.stderr).toContain('buyer is also set by --buyer, which applies again at the next start.')
  expect(set.stderr).not.toContain('delays.bank')
  expect(await origin('buyer')).toBe('settings')
  await server.end()

  writeFileSync(join(folder.path, 'psp.config.json'), '{}')
  expect(jsonOf(await run('settings --json'))).toMatchObject({
    buyer: 'auto',
    rate_limit: 0,
    default_outcome: 'succeeded',
    magic: true,
    link_ttl: '24h',
    'delays.bank': '2s',
  })
  expect(await origin('delays.bank')).toBe('settings')
})

test('a command that only reads stores no setting', async () => {
  const pending = { PSP_SET_DEFAULT_OUTCOME: 'pending' }
  const plan = async (env = {}) =>
    (jsonOf(await run('payments create --amount 100 --json', env)) as { simulator: string }).simulator
  expect(await plan()).toBe('succeeded')
  await run('payments list', pending)
  expect(await plan()).toBe('succeeded')
  expect(await plan(pending)).toBe('pending')
  expect(await plan()).toBe('succeeded')
})
