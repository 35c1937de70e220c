// A refused start changes nothing on disk, and the command that its error suggests works.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, psp, type RunOptions, type RunResult, startPsp, waitUntil } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>
let taken: Server
let port: string

beforeAll(async () => {
  taken = createServer((_, response) => void response.end('not psp'))
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  port = String((taken.address() as AddressInfo).port)
})
afterAll(() => void taken.close())
beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

/** Returns each path below the directory with the content of its file. */
function tree(): Record<string, string> {
  const paths = readdirSync(folder.path, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    paths.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return [relative(folder.path, path), statSync(path).isDirectory() ? 'folder' : readFileSync(path, 'utf8')]
    }),
  )
}

const run = (line: string, options: RunOptions = {}) => psp(line, { cwd: folder.path, ...options })

const SHOP = { api_key: 'sk_test_mine00_secretsecret' }
const FILES = {
  'not.json': '{',
  'bad.json': '{"shops":[{"endpoints":[{"url":"b"}]}]}',
  'good.json': JSON.stringify({ shops: [SHOP], payments: [{ amount: 100 }] }),
  'mine.json': '{"name":"mine"}',
  'left.json': JSON.stringify({ type: 'ready', url: 'http://127.0.0.1:1', pid: 1 }),
}

type RefusalError = readonly [why: string, line: string, code: number, env?: Record<string, string>]

const REFUSALS: readonly RefusalError[] = [
  ['a flag is unknown', 'serve --prot 1', 2],
  ['a flag has a bad value', 'serve --port 99999', 2],
  ['a variable has a bad value', 'serve', 2, { PSP_PORT: 'x' }],
  ['a setting is unknown', 'serve --set delays.bnk=1s', 2],
  ['a setting has a bad value', 'serve --set delays.bank=soon', 2],
  ['the seed is missing', 'serve --seed nowhere.json', 2],
  ['the seed is no JSON', 'serve --seed not.json', 2],
  ['the seed is invalid', 'serve --seed bad.json', 2],
  ['the seed repeats a given key', `serve --seed good.json --api-key ${SHOP.api_key}`, 2],
  ['the credentials are public', 'serve --host 0.0.0.0', 2],
  ['some credentials are public', 'serve --host 0.0.0.0 --api-key sk_test_mine00_x', 2],
  ['the control token is short', 'serve --host 0.0.0.0 --generate-credentials --control-token 1', 2],
  ['the port is taken', 'serve --port TAKEN', 9],
  ['the port is taken and a seed is given', 'serve --port TAKEN --seed good.json', 9],
  ['the address is of another machine', 'serve --host 192.0.2.1 --generate-credentials', 2],
  ['the ready file cannot be written', 'serve --ready-file nowhere/psp.json', 1],
  ['the ready file is of another program', 'serve --ready-file mine.json', 2],
  ['the port is taken and an older ready file is there', 'serve --port TAKEN --ready-file left.json', 9],
  ['the credentials are public, for `psp listen`', 'listen --forward 3000', 2, { PSP_HOST: '0.0.0.0' }],
  ['the credentials are public, for `psp tail`', 'tail', 2, { PSP_HOST: '0.0.0.0' }],
  ['the parent is not reported', 'serve --exit-with-parent', 2],
]

async function refused([why, line, code, env]: RefusalError, flags = ''): Promise<RunResult> {
  const ran = await run(`${line.replace('TAKEN', port)} ${flags}`, { env: { PSP_PORT: '0', ...env } })
  expect([why, ran.code, ran.stdout], ran.stderr).toEqual([why, code, ''])
  return ran
}

describe('a refused start', () => {
  beforeEach(() => {
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder.path, name), text)
  })

  test.each(REFUSALS.map((refusal) => [refusal[0], refusal] as const))(
    'a refused start leaves nothing behind if %s',
    async (_, refusal) => {
      const before = tree()
      await refused(refusal)
      expect(tree()).toEqual(before)
    },
  )

  test.each(REFUSALS.filter(([, line]) => line.startsWith('serve')).map((refusal) => [refusal[0], refusal] as const))(
    'a refused start creates no parent directory if %s',
    async (_, refusal) => {
      const before = tree()
      await refused(refusal, '--data a/b/c')
      expect(tree()).toEqual(before)
    },
  )

  test('a refused start leaves an empty directory empty', async () => {
    mkdirSync(join(folder.path, 'empty'))
    const before = tree()
    await refused(['', 'serve --host 0.0.0.0 --data empty', 2])
    await refused(['', 'serve --port TAKEN --durable --data empty', 9])
    expect(tree()).toEqual(before)
  })
})

describe('a refused start on an existing data directory', () => {
  beforeEach(async () => {
    const made = await run('payments create --amount 100 --outcome succeeded', { env: { PSP_PORT: '1' } })
    expect(made.code, made.stderr).toBe(0)
  })

  test.each<readonly [string, string, number]>([
    ['the port is taken', 'serve --port TAKEN --endpoint http://127.0.0.1:1/hooks --clock frozen', 9],
    [
      'the credentials are public',
      'serve --host 0.0.0.0 --endpoint http://127.0.0.1:1/hooks --generate-credentials',
      2,
    ],
    ['the clock would go back', 'serve --endpoint http://127.0.0.1:1/hooks --clock frozen@2020-01-01T00:00:00Z', 2],
  ])('a refused start changes no existing data if %s', async (why, line, code) => {
    const before = tree()
    await refused([why, line, code])
    expect(tree()).toEqual(before)
  })
})

/** Returns the command lines that an error suggests. */
const suggested = ({ stderr }: RunResult) => [...stderr.matchAll(/`psp ([^`]+)`/g)].map(([, line]) => line as string)

describe('the suggestion of a refusal', () => {
  async function starts(line: string, env: Record<string, string> = {}): Promise<string> {
    const server = startPsp(`${line} --json`.split(' '), { cwd: folder.path, env: { PSP_PORT: '0', ...env } })
    const ready = await Promise.race([
      waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0]),
      server.ended.then(({ stderr }) => Promise.reject(new Error(stderr))),
    ])
    server.signal('SIGTERM')
    await server.ended
    return ready
  }

  test('the suggestion for public credentials works in a new directory', async () => {
    const { stderr } = await refused(['', 'serve --host 0.0.0.0', 2])
    expect(stderr).toContain('--generate-credentials')
    expect(await starts('serve --host 0.0.0.0 --generate-credentials')).toContain('"ready"')
  })

  test('the suggestion for public credentials works in a directory that has them', async () => {
    await run('payments create --amount 100', { env: { PSP_PORT: '1' } })
    const first = await refused(['', 'serve --host 0.0.0.0', 2])
    const again = await refused(['', 'serve --host 0.0.0.0 --generate-credentials', 2])
    for (const ran of [first, again]) {
      const [line = ''] = suggested(ran)
      expect(line).toContain('--data')
      expect(await starts(line)).toContain('"ready"')
    }
  })

  test('the suggestion for public credentials of a variable works', async () => {
    const env = { PSP_API_KEY: 'sk_test_local0_psp0development0key0not0a0secret' }
    const { stderr } = await refused(['', 'serve --host 0.0.0.0 --generate-credentials', 2, env])
    expect(stderr).toContain('PSP_API_KEY')
    expect(await starts('serve --host 0.0.0.0 --generate-credentials')).toContain('"ready"')
  })

  test('the suggestion for a short control token works', async () => {
    const { stderr } = await refused(['', 'serve --host 0.0.0.0 --generate-credentials --control-token 1', 2])
    expect(stderr).toContain('`openssl rand -hex 16`')
    const token = crypto.randomUUID()
    expect(await starts(`serve --host 0.0.0.0 --generate-credentials --control-token ${token}`)).toContain('"ready"')
  })

  test('the suggestion for a port in use works', async () => {
    const { stderr } = await refused(['', 'serve --port TAKEN', 9])
    expect(stderr).toContain('--port 0')
    expect(await starts('serve --port 0')).toContain('"ready"')
    const json = await refused(['', 'serve --port TAKEN --json', 9])
    expect(JSON.parse(json.stderr).error.code).toBe('port_in_use')
  })
})
