// `psp exec` leaves no process running, however it ends.
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BIN, createWorkspace, NODE } from './helpers.ts'

let workspace: ReturnType<typeof createWorkspace>
beforeEach(() => {
  workspace = createWorkspace()
})
afterEach(() => workspace.remove())

/** A program that prints its process id and runs until a signal, such as a watcher. The file `up` marks that it runs. */
const GRANDCHILD = 'console.log("grandchild " + process.pid); setInterval(() => {}, 1000); fs.writeFileSync("up", "")'
const WAIT_UNTIL_UP = 'until [ -e up ]; do sleep 0.05; done'
const STUBBORN = `process.on("SIGTERM", () => {}); ${GRANDCHILD}`
const shellWith = (program: string, then: string) => ['sh', '-c', `${NODE} -e '${program}' & ${then}`]

/** Resolves when the process has ended. A zombie counts as ended. */
async function waitForEnd(pid: number): Promise<void> {
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

describe.skipIf(process.platform !== 'linux')('the processes of `psp exec`', () => {
  test.each([
    ['if the command ends before them', GRANDCHILD, 3],
    ['if they ignore SIGTERM', STUBBORN, 0],
  ])('processes that the command started end %s', async (_, program, code) => {
    const words = shellWith(program, `${WAIT_UNTIL_UP}; exit ${code}`)
    const running = await workspace.start(['exec', '--quiet', '--', ...words], /grandchild/)
    expect((await running.child).exitCode).toBe(code)
    await waitForEnd(pidOf(running.first))
  })

  test.each([
    ['SIGTERM', GRANDCHILD],
    ['SIGKILL', STUBBORN],
  ] as const)('processes that the command started end after %s of psp', async (signal, program) => {
    const running = await workspace.start(['exec', '--quiet', '--', ...shellWith(program, 'wait')], /grandchild/)
    running.child.kill(signal)
    const { exitCode } = await running.child
    if (signal === 'SIGTERM') expect(exitCode).toBe(143)
    await waitForEnd(pidOf(running.first))
  })

  test('the command ends after SIGTERM of npm, which sends psp no signal', async () => {
    const npm = execa('sh', ['-c', `"$0" "$@"; true`, BIN, 'exec', '--', NODE, '-e', GRANDCHILD], {
      cwd: workspace.cwd,
      extendEnv: false,
      env: { PATH: process.env['PATH'] ?? '', TMPDIR: tmpdir(), npm_command: 'exec' },
      reject: false,
      stdin: 'ignore',
      timeout: 150_000,
    })
    for await (const line of npm) {
      npm.kill('SIGTERM')
      await waitForEnd(pidOf(String(line)))
      break
    }
    await npm
  })
})

test('`psp exec` reports the waits of its command that timed out', async () => {
  const testing = new URL('../../dist/testing/index.js', import.meta.url).href
  const script = `const { startSandbox } = await import(${JSON.stringify(testing)})
    const { spawnSync } = await import('node:child_process')
    const wait = ['wait', 'payment.failed', '--where', 'order_id=A-1', '--timeout', '100ms']
    spawnSync(${JSON.stringify(BIN)}, wait)
    const psp = await startSandbox({ url: process.env.PSP_URL })
    await psp.waitFor('payment.succeeded', { order_id: 'A-2' }, { timeout: 50 })`
  const ran = await workspace.psp('exec', '--', NODE, '--input-type=module', '-e', script)
  expect([ran.exitCode, ran.stderr]).toEqual([
    1,
    expect.stringContaining('sandbox:\n  payment.failed with order_id=A-1 did not happen within 100ms.'),
  ])
  expect(ran.stderr).toMatch(/\n {2}payment\.succeeded with order_id "A-2" did not happen within 50ms\./)
})

test('the command of `psp exec` uses its sandbox, and the output of the command is that of psp', async () => {
  const pay = 'payments create --amount 100 --method sbp --wait --json'.split(' ')
  const flags = ['--quiet', '--set', 'delays.session=0s', '--set', 'delays.bank=0s']
  const ran = await workspace.psp('exec', ...flags, '--', BIN, ...pay)
  expect([ran.exitCode, JSON.parse(ran.stdout).payment.status]).toEqual([0, 'succeeded'])
})
