// `psp exec`: the exit code of its command, signals, and what it reports after a failure.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { createTestDir, psp, type RunOptions, startPsp, waitUntil } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>
beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

const exec = (...args: readonly string[]) => psp(['exec', ...args], { cwd: folder.path })

/** Starts a command that runs until a signal, and waits until the program has loaded. */
async function startExec(script: string, options: RunOptions = {}) {
  const program = `${script}; require('node:fs').writeFileSync('up', ''); setInterval(() => {}, 1000)`
  const running = startPsp(['exec', '--quiet', '--', process.execPath, '-e', program], {
    cwd: folder.path,
    ...options,
  })
  await waitUntil(() => existsSync(join(folder.path, 'up')))
  return running
}

describe('the exit code of `psp exec`', () => {
  test.each([
    ['exit 5', 5],
    ['kill -9 $$', 137],
    ['kill -TERM $$', 143],
    ['test -n "$PSP_URL" && test -n "$PSP_API_KEY" && test -n "$PSP_SIGNING_SECRET$PSP_WEBHOOK_SECRET"', 0],
  ])('`psp exec -- bash -c %j` exits with %d', async (script, code) => {
    expect((await exec('--', 'bash', '-c', script)).code).toBe(code)
    expect(existsSync(join(folder.path, '.psp'))).toBe(false)
  })

  test('`psp exec` exits with 127 if the program does not exist, and --json prints one line', async () => {
    const text = await exec('--', 'no-such-program')
    expect([text.code, text.stderr]).toEqual([127, expect.stringContaining('no-such-program was not found')])
    const json = await exec('--json', '--', 'no-such-program')
    expect([json.code, json.stdout]).toEqual([127, ''])
    expect(JSON.parse(json.stderr).error.code).toBe('no_such_program')
  })

  test('an option of the command without -- is wrong usage', async () => {
    const option = await exec('node', '-e', '1')
    expect([option.code, option.stderr]).toEqual([2, expect.stringContaining('Put -- before the command')])
    const typo = await exec('--colour', '--', 'node', '-e', '1')
    expect(typo.stderr).toContain('Did you mean --color')
  })

  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'after %s `psp exec` exits with the code that the command chooses',
    async (signal) => {
      const running = await startExec(`process.on('${signal}', () => process.exit(7))`)
      running.signal(signal)
      expect((await running.ended).code).toBe(7)
    },
  )

  test('a command that ignores SIGTERM is killed after a grace period, and `psp exec` exits with 137', async () => {
    const clock = createSystemClock()
    const systemClock = { ...clock, setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, ms / 100) }
    const running = await startExec("process.on('SIGTERM', () => {})", { systemClock })
    running.signal('SIGTERM')
    expect((await running.ended).code).toBe(137)
  })
})

describe('the report of `psp exec`', () => {
  /** A request of the command is refused, and a fault never applies. */
  const SCRIPT = `const { PSP_URL, PSP_API_KEY } = process.env
    const post = (path, body) => fetch(PSP_URL + path, { method: 'POST', body: JSON.stringify(body),
      headers: { Authorization: 'Bearer ' + PSP_API_KEY, 'Content-Type': 'application/json' } })
    await post('/_psp/faults', { target: 'webhook', fault: 'drop', match: { event: 'payment.expired' } })
    await post('/v1/public/payments', { amount: -1 })
    process.exit(Number(process.argv[1]))`
  const command = (code: string) => ['--', 'node', '--input-type=module', '-e', SCRIPT, code]

  test('`psp exec` prints possible causes of a failure and keeps the exit code', async () => {
    const ran = await exec(...command('3'))
    expect([ran.code, ran.stdout]).toEqual([3, ''])
    expect(ran.stderr).toContain(
      'Possible causes in the sandbox:\n  POST /v1/public/payments returned 400 bad_request: amount',
    )
    expect(ran.stderr).toMatch(/Fault flt_\w+ \(webhook drop\) never applied: nothing matched event=payment\.expired\./)
  })

  test.each([
    ['with --quiet', ['--quiet', ...command('3')], 3],
    ['if the command succeeded', command('0'), 0],
    ['if there are none', ['--', 'node', '-e', 'process.exit(4)'], 4],
  ])('`psp exec` prints no possible causes %s', async (_, args, code) => {
    const ran = await exec(...args)
    expect([ran.code, ran.stderr]).toEqual([code, expect.not.stringContaining('Possible causes')])
  })

  test('`psp exec --report` writes the state of the sandbox to a directory, also after a success', async () => {
    expect((await exec('--report', 'out/psp', ...command('0'))).code).toBe(0)
    const file = (name: string) => readFileSync(join(folder.path, 'out/psp', name), 'utf8')
    expect(file('summary.txt')).toContain('400 bad_request')
    const [request] = file('requests.ndjson').trim().split('\n')
    expect(JSON.parse(request ?? '')).toMatchObject({ path: '/v1/public/payments', request: { body: '{"amount":-1}' } })
    expect([file('deliveries.ndjson'), file('events.ndjson')]).toEqual(['', ''])
    expect(JSON.parse(file('export.json'))).toHaveProperty('tables')
  })

  test('`psp exec` keeps the exit code of the command if the report cannot be written', async () => {
    mkdirSync(join(folder.path, 'out/export.json'), { recursive: true })
    const ran = await exec('--report', 'out', ...command('5'))
    expect([ran.code, ran.stderr]).toEqual([
      5,
      expect.stringContaining('export.json cannot be written: it is a folder'),
    ])
    expect(ran.stderr).toContain('Possible causes in the sandbox:')
  })
})

test.each(['/dev/null', 'a-file'])('`psp exec --report %s` says that it needs a directory', async (name) => {
  writeFileSync(join(folder.path, 'a-file'), '')
  const ran = await exec('--report', name, '--', 'node', '-e', '')
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining(`--report needs a directory, and ${name} is not one.`),
  ])
})

test('`psp exec` does not start the command if the directory of the report cannot be created', async () => {
  const ran = await exec('--report', '/dev/null/x', '--', 'node', '-e', 'fs.writeFileSync("started", "")')
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringContaining('/dev/null/x cannot be written')])
  expect(existsSync(join(folder.path, 'started'))).toBe(false)
})
