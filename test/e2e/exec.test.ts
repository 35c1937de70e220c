// What `psp exec` leaves behind: nothing, however it ends.

import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deadPort } from '../delivery/receiver.ts'
import { BIN, createWorkspace } from './helpers.ts'

let folder: ReturnType<typeof createWorkspace>
beforeEach(() => {
  folder = createWorkspace()
})
afterEach(() => folder.remove())

/** Prints its process id and stays, as a watcher or a server of the child's would; a file says that it is up. */
const GRANDCHILD = 'console.log("grandchild " + process.pid); setInterval(() => {}, 1000); fs.writeFileSync("up", "")'
const ONCE_UP = 'until [ -e up ]; do sleep 0.05; done'
const STUBBORN = `process.on("SIGTERM", () => {}); ${GRANDCHILD}`
const child = (program: string, then: string) => `node -e '${program}' & ${then}`

/** Resolves when no such process runs; one that nobody has collected yet counts as gone. */
async function gone(pid: number): Promise<void> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, 10))
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const pidOf = (line: string) => Number(/grandchild (\d+)/.exec(line)?.[1])

describe.skipIf(process.platform !== 'linux')('exec leaves nothing running', () => {
  test('when the child ends before what it started', async () => {
    const running = await folder.start(
      ['exec', '--quiet', '--', 'sh', '-c', child(GRANDCHILD, `${ONCE_UP}; exit 3`)],
      /grandchild/,
    )
    expect((await running.child).exitCode).toBe(3)
    await gone(pidOf(running.first))
  })

  test('when what it started does not obey', async () => {
    const running = await folder.start(
      ['exec', '--quiet', '--', 'sh', '-c', child(STUBBORN, `${ONCE_UP}; exit 0`)],
      /grandchild/,
    )
    expect((await running.child).exitCode).toBe(0)
    await gone(pidOf(running.first))
  })

  test('when its report cannot be kept: nothing is started', async () => {
    const ended = await folder.psp('exec', '--report', '/proc/x', '--', 'echo', 'started')
    expect([ended.exitCode, ended.stdout]).toEqual([1, ''])
    expect(ended.stderr).toContain('/proc/x cannot be written')
  })

  test('when it is told to end', async () => {
    const running = await folder.start(['exec', '--quiet', '--', 'sh', '-c', child(GRANDCHILD, 'wait')], /grandchild/)
    running.child.kill('SIGTERM' as never)
    expect((await running.child).exitCode).toBe(143)
    await gone(pidOf(running.first))
  })

  test('when npm is told to end, which tells nobody', async () => {
    const npm = execa('sh', ['-c', `"$0" "$@"; true`, process.execPath, BIN, 'exec', '--', 'node', '-e', GRANDCHILD], {
      cwd: folder.cwd,
      extendEnv: false,
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), npm_command: 'exec' },
      reject: false,
      stdin: 'ignore',
      timeout: 150_000,
    })
    for await (const line of npm) {
      npm.kill('SIGTERM')
      await gone(pidOf(String(line)))
      break
    }
    await npm
  })

  test('when it is killed', async () => {
    const running = await folder.start(['exec', '--quiet', '--', 'sh', '-c', child(STUBBORN, 'wait')], /grandchild/)
    running.child.kill('SIGKILL')
    await gone(pidOf(running.first))
  })
})

describe('after a command that failed', () => {
  /** Its request is refused, and a fault never applies. */
  const CHILD = `const { PSP_URL, PSP_API_KEY } = process.env
    const post = (path, body) => fetch(PSP_URL + path, { method: 'POST', body: JSON.stringify(body),
      headers: { Authorization: 'Bearer ' + PSP_API_KEY, 'Content-Type': 'application/json' } })
    await post('/_psp/faults', { target: 'webhook', fault: 'drop', match: { event: 'payment.expired' } })
    await post('/v1/public/payments', { amount: -1 })
    process.exit(Number(process.argv[1]))`
  const child = (code: string) => ['--', 'node', '--input-type=module', '-e', CHILD, code]

  test('a failed command gets possible causes on stderr and keeps its exit code', async () => {
    const ran = await folder.psp('exec', ...child('3'))
    expect([ran.exitCode, ran.stdout]).toEqual([3, ''])
    expect(ran.stderr).toContain(
      'Possible causes in the sandbox:\n  POST /v1/public/payments returned 400 bad_request: amount',
    )
    expect(ran.stderr).toMatch(/Fault flt_\w+ \(webhook drop\) never applied: nothing matched event=payment\.expired\./)
  })

  test.each([
    ['with --quiet', ['--quiet', ...child('3')], 3],
    ['when it did not fail', child('0'), 0],
    ['when there are no possible causes', ['--', 'node', '-e', 'process.exit(4)'], 4],
  ])('nothing is said %s', async (_, args, code) => {
    const ran = await folder.psp('exec', ...args)
    expect([ran.exitCode, ran.stderr]).toEqual([code, expect.not.stringContaining('Possible causes')])
  })

  test('--report keeps what the sandbox knew, also of a command that ended well', async () => {
    const ran = await folder.psp('exec', '--report', 'out/psp', ...child('0'))
    expect(ran.exitCode).toBe(0)
    const file = (name: string) => readFileSync(join(folder.cwd, 'out/psp', name), 'utf8')
    expect(file('summary.txt')).toContain('400 bad_request')
    const [request] = file('requests.ndjson').trim().split('\n')
    expect(JSON.parse(request ?? '')).toMatchObject({ path: '/v1/public/payments', request: { body: '{"amount":-1}' } })
    expect([file('deliveries.ndjson'), file('events.ndjson')]).toEqual(['', ''])
    expect(JSON.parse(file('export.json'))).toHaveProperty('tables')
  })

  test('waits that timed out, of psp wait and of a test, are told again', async () => {
    const wait = ['wait', 'payment.failed', '--where', 'order_id=A-1', '--timeout', '100ms']
    const ofCommand = await folder.psp('exec', '--', process.execPath, BIN, ...wait)
    expect([ofCommand.exitCode, ofCommand.stderr]).toEqual([
      7,
      expect.stringContaining('sandbox:\n  payment.failed with order_id=A-1 did not happen within 100ms.'),
    ])
    const testing = new URL('../../dist/testing/index.js', import.meta.url).href
    const script = `const { startSandbox } = await import(${JSON.stringify(testing)})
      const psp = await startSandbox({ url: process.env.PSP_URL })
      await psp.waitFor('payment.succeeded', { order_id: 'A-2' }, { timeout: 50 })`
    const ofTest = await folder.psp('exec', '--', 'node', '--input-type=module', '-e', script)
    expect(ofTest.exitCode).toBe(1)
    expect(ofTest.stderr).toMatch(/sandbox:\n {2}payment\.succeeded with order_id "A-2" did not happen within 50ms\./)
  })

  test('a report that fails at the end leaves the code that of the command', async () => {
    mkdirSync(join(folder.cwd, 'out/export.json'), { recursive: true })
    const ran = await folder.psp('exec', '--report', 'out', ...child('5'))
    expect([ran.exitCode, ran.stderr]).toEqual([
      5,
      expect.stringContaining('export.json cannot be written: it is a folder'),
    ])
    expect(ran.stderr).toContain('Possible causes in the sandbox:')
  })

  test('a folder that cannot be made is told before the command runs', async () => {
    const ran = await folder.psp('exec', '--report', '/dev/null/x', '--', 'node', '-e', 'console.log("ran")')
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([
      1,
      '',
      expect.stringContaining('/dev/null/x cannot be written'),
    ])
  })
})

test('an option of the child without -- is told what is missing', async () => {
  const ran = await folder.psp('exec', 'node', '-e', '1')
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('Put -- before the command')])
  const slip = await folder.psp('exec', '--colour', '--', 'node', '-e', '1')
  expect(slip.stderr).toContain('Did you mean --color')
})

describe('doctor as a health check', () => {
  test('waits until the server is ready, and not longer than it was told', async () => {
    const url = `http://127.0.0.1:${await deadPort()}`
    const started = folder.psp('doctor', '--ready', '--wait', '--timeout', '2m', '--json', '--url', url)
    const server = await folder.serve('--quiet', '--port', new URL(url).port)
    expect(JSON.parse((await started).stdout)).toEqual({ ready: true, url })
    expect((await folder.psp('doctor', '--ready')).stdout).toBe(`ready  ${url}`)
    server.child.kill('SIGTERM' as never)
    await server.child
    expect((await folder.psp('doctor', '--ready', '--url', url)).exitCode).toBe(6)
    const late = await folder.psp('doctor', '--ready', '--wait', '--timeout', '300ms', '--url', url)
    expect([late.exitCode, late.stderr]).toEqual([7, expect.stringContaining('was not ready within 300ms')])
  })

  test.each([
    [['--wait'], '--wait needs --ready.'],
    [['--timeout', '3s'], '--timeout needs --ready --wait.'],
    [['--ready', '--timeout', '3s'], '--timeout needs --ready --wait.'],
  ])('%j alone is a slip', async (flags, said) => {
    const ran = await folder.psp('doctor', ...flags)
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining(said)])
  })
})
