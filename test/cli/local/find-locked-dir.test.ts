// A command in a subdirectory finds the server of the project, as git finds its directory.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, jsonOf, psp, type RunningPsp, startPsp, waitUntil } from '../helpers.ts'

let project: ReturnType<typeof createTestDir>
let below: string
let data: string

beforeEach(() => {
  project = createTestDir()
  data = join(project.path, '.psp')
  below = join(project.path, 'packages', 'shop')
  mkdirSync(below, { recursive: true })
})
afterEach(() => project.remove())

/** Uses port 1, on which no psp listens. */
const run = (line: string, cwd = below) => psp(line, { cwd, env: { PSP_PORT: '1' } })

async function serving<T>(flags: readonly string[], use: (url: string, server: RunningPsp) => Promise<T>): Promise<T> {
  const server = startPsp(['serve', '--port', '0', '--json', ...flags], { cwd: project.path })
  const url = JSON.parse(await waitUntil(() => server.output().includes('\n') && server.output().split('\n')[0])).url
  try {
    return await use(url, server)
  } finally {
    server.signal('SIGINT')
    await server.ended
  }
}

describe('a command below the folder of a server', () => {
  test('a command in a subdirectory uses the server of the project, says so, and creates no directory', async () => {
    await serving([], async (url) => {
      const made = await run('payments create --amount 100 --json')
      const { payment, payment_url } = jsonOf(made) as { payment: { id: string }; payment_url: string }
      expect(payment_url.startsWith(url)).toBe(true)
      expect(made.stderr).toBe(`No .psp here: this command uses the server of ${data}, at ${url}.\n`)
      expect((await run(`payments get ${payment.id}`, project.path)).code).toBe(0)
      expect((await run('wait payment.succeeded --timeout 1ms')).code).toBe(7)
      expect((await run('payments list --quiet')).stderr).toBe('')
      const doctor = jsonOf(await run('doctor --json')) as { checks: { name: string; found: string }[] }
      expect(doctor.checks.find(({ name }) => name === 'server')?.found).toContain(url)
      expect((await run('doctor --ready')).code).toBe(0)
      expect(existsSync(join(below, '.psp'))).toBe(false)
    })
  })

  test('a command does not use the server of the project if it has or names a data directory', async () => {
    await serving([], async (url) => {
      const named = await run('payments create --amount 100 --data .psp')
      expect(named.stderr).toContain('this command uses .psp directly')
      const own = await run('payments list')
      expect(own.stderr).toContain('this command uses .psp directly')
      expect(own.stderr).not.toContain(url)
    })
  })

  test('a command does not use the server of a directory that others can write', async () => {
    chmodSync(project.path, 0o777)
    await serving([], async (url) => {
      const { code, stderr } = await run('payments list')
      expect([code, stderr]).toEqual([0, expect.stringContaining('this command uses an empty sandbox in memory')])
      expect(stderr).not.toContain(url)
    })
  })
})

test('a command that names a data directory says which data directory the server of PSP_URL has', async () => {
  await serving([], async (url) => {
    const env = { PSP_URL: url }
    const made = await psp('payments create --amount 100 --data other', { cwd: below, env })
    expect(made.code).toBe(0)
    expect(made.stderr).toBe(
      `--data other is ignored because PSP_URL selects the server at ${url}. Its data directory is ${data}.\n`,
    )
    expect((await psp(`store reset --data ${data}`, { cwd: below, env })).stderr).toBe('')
    expect((await psp(`store reset --url ${url}`, { cwd: below, env: { PSP_DATA: 'other' } })).stderr).toBe('')
    expect((await psp('store reset', { cwd: below, env })).stderr).toBe('')
    const both = await psp('store reset --json', { cwd: below, env: { ...env, PSP_DATA: 'other' } })
    expect(both.stderr).toContain('PSP_DATA other is ignored')
  })
})

test.each([
  'store reset',
  'store reset --all',
  'store restore before',
  'store forget before',
  'store import state.json',
])('`%s` is refused if --data differs from the data directory of the server at PSP_URL or --url', async (line) => {
  await serving([], async (url) => {
    const env = { PSP_URL: url }
    await psp('payments create --amount 100', { cwd: below, env })
    await psp('store snapshot before', { cwd: below, env })
    await psp('store export state.json', { cwd: below, env })
    for (const flags of [`--data other`, `--data other --url ${url}`, '--data other --dry-run']) {
      const refused = await psp(`${line} ${flags}`, { cwd: below, env })
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain(`--data other and ${flags.includes('--url') ? '--url' : 'PSP_URL'} (${url})`)
      expect(refused.stderr).toMatch(
        /select different sandboxes, and this command changes only one of them\..*Omit one of them/s,
      )
    }
    expect(jsonOf(await psp('payments list --json', { cwd: below, env }))).toMatchObject({ items: [{ amount: 100 }] })
    expect((await psp(`${line} --data ${data}`, { cwd: below, env })).code).toBe(0)
  })
})

test('`store reset` in a copy of the folder of a server clears the copy', async () => {
  await serving([], async (url) => {
    await run('payments create --amount 100', project.path)
    const copy = createTestDir()
    cpSync(data, join(copy.path, '.psp'), { recursive: true })
    const reset = await run('store reset', copy.path)
    expect([reset.code, reset.stderr]).toEqual([0, 'No server is running: this command uses .psp directly.\n'])
    expect(jsonOf(await run('payments list --json', copy.path))).toMatchObject({ items: [] })
    expect(jsonOf(await run(`payments list --json --url ${url}`))).toMatchObject({ items: [{ amount: 100 }] })
    const own = startPsp(['serve', '--port', '0', '--json'], { cwd: copy.path })
    const ready = await waitUntil(() => own.output().includes('\n') && own.output().split('\n')[0])
    expect(JSON.parse(ready)).toMatchObject({ data: join(copy.path, '.psp') })
    own.signal('SIGINT')
    await own.ended
    copy.remove()
  })
})

test('commands that only read create no data directory, so a later server of the project is used', async () => {
  const lists = ['payments list', 'events list', 'banks', 'shops list', 'clock show', 'logs']
  for (const [line, exitCode] of [
    ...lists.map((line) => [line, 0] as const),
    ['events replay --imported --to 127.0.0.1:9', 4],
    ['events replay --imported --order order-1 --to 127.0.0.1:9 --dry-run', 4],
    ['events export --imported --order order-1 --scenario -', 4],
  ] as const) {
    const { code, stderr } = await run(line)
    expect([line, code, stderr]).toEqual([
      line,
      exitCode,
      expect.stringContaining(
        'No server is running, and .psp does not exist: this command uses an empty sandbox in memory.',
      ),
    ])
  }
  expect(existsSync(join(below, '.psp'))).toBe(false)
  await serving([], async (url) => {
    expect((await run('payments list')).stderr).toContain(`this command uses the server of ${data}, at ${url}.`)
  })
})

test.each([
  ['.psp', '', {}],
  ['typo', '--data typo', {}],
  ['typo', '', { PSP_DATA: 'typo' }],
])(
  '`store export` is refused if the data directory %s does not exist, with the flags %j and %j',
  async (name, flags, env) => {
    for (const file of ['state.json', '-']) {
      const { code, stdout, stderr } = await psp(`store export ${file} ${flags}`, {
        cwd: below,
        env: { ...env, PSP_PORT: '1' },
      })
      expect([code, stdout]).toEqual([4, ''])
      expect(stderr).toContain(`No server is running, and the data directory ${name} does not exist.`)
      expect(stderr).toContain('Name an existing data directory with --data, or a server with --url.')
    }
    expect(readdirSync(below)).toEqual([])
  },
)

test('`store snapshot` is refused if the named data directory does not exist, and otherwise creates the default one', async () => {
  for (const line of ['--data typo', '--data typo --dry-run']) {
    const { code, stderr } = await run(`store snapshot before ${line}`)
    expect([code, stderr]).toEqual([4, expect.stringContaining('the data directory typo does not exist.')])
  }
  expect(readdirSync(below)).toEqual([])
  expect((await run('store snapshot before')).code).toBe(0)
  expect(readdirSync(below)).toEqual(['.psp'])
})

test('`store export` without a data directory names that of a parent directory', async () => {
  await run('payments create --amount 100', project.path)
  const { code, stderr } = await run('store export state.json')
  expect([code, stderr]).toEqual([4, expect.stringContaining(`To use it, add --data ${data}.`)])
  expect((await run(`store export state.json --data ${data}`)).code).toBe(0)
})

test('a data directory without a server in a parent directory is named and not used', async () => {
  await run('payments create --amount 100', project.path)
  const { stdout, stderr } = await run('payments list --json')
  expect(jsonOf({ stdout } as never)).toMatchObject({ items: [] })
  expect(stderr).toContain(
    `No server uses ${data}, a data directory in a parent directory. To use it, add --data ${data}.`,
  )
})

describe('the commands of the banner reach its server', () => {
  const proposed = async (flags: readonly string[], env: Record<string, string> = {}) => {
    const server = startPsp(['serve', '--port', '0', ...flags], { cwd: project.path, env })
    await waitUntil(() => server.errors().includes('Ctrl-C stops.'))
    const url = /PSP_URL=(\S+)/.exec(server.errors())?.[1] ?? ''
    const line = /psp (payments create .*?) {3}/.exec(server.errors())?.[1] ?? ''
    const made = await run(`${line} --json`, project.path)
    server.signal('SIGINT')
    await server.ended
    return { line, url, paid: (jsonOf(made) as { payment_url: string }).payment_url }
  }

  test.each([[['--ephemeral']], [['--data', 'elsewhere']]])(
    'the banner of `serve %j` suggests a command with --url',
    async (flags) => {
      const { url, paid, line } = await proposed(flags)
      expect(line).toContain(`--url ${url}`)
      expect(paid.startsWith(url)).toBe(true)
    },
  )

  test('the banner of `serve` in its directory suggests a command without --url', async () => {
    const { url, paid, line } = await proposed([])
    expect(line).toBe('payments create --amount 100')
    expect(paid.startsWith(url)).toBe(true)
  })
})

test('the note about the page of a payment names another sandbox at the address', async () => {
  const other = createTestDir()
  await serving(['--ephemeral'], async (url) => {
    const env = { PSP_PORT: new URL(url).port }
    const told = `when \`psp serve\` runs there; now another sandbox without this payment is at ${url}`
    const made = await psp('payments create --amount 100', { cwd: other.path, env })
    expect(made.stdout.replaceAll(/\s+/g, ' ')).toContain(told)
    expect(made.stdout).toContain(`${url}/pay/`)
    const asJson = await psp('payments create --amount 100 --json', { cwd: other.path, env })
    expect(Object.keys(jsonOf(asJson) as object)).toContain('payment_url')
    expect(asJson.stderr).toContain(told)
  })
  other.remove()
})
