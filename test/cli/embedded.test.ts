import { createHmac } from 'node:crypto'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { createTestDir, jsonOf, psp, startPsp, startReceiver, type TestReceiver, waitUntil } from './helpers.ts'

let folder: ReturnType<typeof createTestDir>
let app: TestReceiver

beforeEach(async () => {
  folder = createTestDir()
  app = await startReceiver()
})
afterEach(async () => {
  await app.close()
  folder.remove()
})

/** Uses port 1, on which no psp listens. */
const run = (line: string, env: Record<string, string> = {}) =>
  psp(line, { cwd: folder.path, env: { PSP_PORT: '1', ...env } })

/** Starts `psp serve` with the directory and waits until it is ready. */
async function serve(...flags: string[]) {
  const running = startPsp(['serve', '--port', '0', '--json', ...flags], { cwd: folder.path })
  await waitUntil(() => running.output().includes('\n'))
  const ready = JSON.parse(running.output().split('\n')[0] ?? '') as { url: string; api_key: string; data: string }
  return { ...running, ready }
}

describe('without a server', () => {
  test('a command uses the data directory, reports it in one line, and stores its changes', async () => {
    const made = await run('payments create --amount 100 --method sbp --json')
    expect(made.stderr).toBe(
      'No server is running: this command uses .psp directly.\nIts payment_url works when `psp serve` runs.\n',
    )
    const { payment } = jsonOf(made) as { payment: { id: string } }
    await run('clock advance 10s')
    expect(jsonOf(await run(`payments get ${payment.id} --json`))).toMatchObject({ status: 'succeeded' })
    expect((await run('payments list --quiet')).stderr).toBe('')
  })

  test('`clock advance` reports the steps that ran when it opened the data directory', async () => {
    await run('payments create --amount 100 --method sbp')
    const clock = createSystemClock()
    const aMinuteLater = { ...clock, now: () => (clock.now() + 60_000) as ReturnType<typeof clock.now> }
    const advance = () =>
      psp('clock advance 1h', { cwd: folder.path, env: { PSP_PORT: '1' }, systemClock: aMinuteLater })
    const { stdout, stderr } = await advance()
    expect(stdout).toContain(' 0 steps')
    expect(stderr).toContain('2 steps were overdue and ran before, when this command opened .psp.\n')
    expect((await advance()).stderr).not.toContain('overdue')
  })

  test('an error with --json is the only line on stderr', async () => {
    const { code, stdout, stderr } = await run('payments get nonsense --json')
    expect([code, stdout]).toEqual([4, ''])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found' } })
    expect((await run('payments get nonsense')).stderr.split('\n')).toHaveLength(4)
  })

  test('an error that --outcome selects names --outcome, without a server and with one', async () => {
    const refused = async () => (await run('payments create --amount 100 --outcome error:aml_blocked')).stderr
    expect(await refused()).toContain('\nSend another plan in this header (`--outcome`), or omit it.\n')
    const server = await serve('--quiet')
    expect(await refused()).toContain('\nSend another plan in this header (`--outcome`), or omit it.\n')
    server.signal('SIGTERM')
    await server.ended
  })

  test('webhook attempts wait until a server starts, which then sends them', async () => {
    const made = await run(`webhooks endpoints create localhost:${app.port}/hooks --json`)
    const { secret } = jsonOf(made) as { secret: string }
    await run('trigger payment.succeeded --set order_id=held')
    await run('clock advance --until-idle')
    expect(jsonOf(await run('webhooks deliveries list --json'))).toMatchObject({
      items: [{ status: 'waiting', attempts: [] }],
    })
    expect(app.bodies).toHaveLength(0)
    const server = await serve('--quiet')
    await waitUntil(() => app.bodies.length === 1)
    const [, t, v2] = /^t=(\d+),v1=\w+,v2=(\w+)$/.exec(String(app.headers[0]?.['x-psp-signature'])) ?? []
    expect(createHmac('sha256', secret).update(`${t}.${app.bodies[0]}`).digest('hex')).toBe(v2)
    server.signal('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })

  test('several commands at once use the data directory one after the other', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => run('payments create --amount 100 --json')))
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(jsonOf(await run('payments list --json'))).toMatchObject({ items: { length: 4 } })
  })

  test('a replay starts a server, and stops it at the end', async () => {
    await run(`webhooks endpoints create localhost:${app.port}/hooks`)
    const { event_id } = jsonOf(await run('trigger payment.failed --json')) as { event_id: string }
    const replayed = await run(`events replay ${event_id}`, { PSP_PORT: '0' })
    expect([replayed.code, replayed.stderr]).toEqual([0, expect.stringContaining('this command started one at http')])
    expect(app.bodies.length).toBeGreaterThan(0)
  })

  test('`psp wait` without a server exits with 6', async () => {
    expect((await run('wait payment.failed')).code).toBe(6)
  })

  test('a new data directory gets the credentials of the flags', async () => {
    const flags = '--api-key sk_test_mykey0_secretsecret --signing-secret thm_mysecret0 --webhook-secret whs_mysecret0'
    expect((await run(`payments create --amount 100 ${flags}`)).code).toBe(0)
    expect((await run('listen --print-secret --quiet')).stdout).toBe('whs_mysecret0\n')
    expect((await run('payments create --amount 100')).code).toBe(3)
  })

  test('settings of the environment apply to a command without a server', async () => {
    const env = { PSP_SET_DEFAULT_OUTCOME: 'failed' }
    expect(jsonOf(await run('payments create --amount 100 --json', env))).toMatchObject({ simulator: 'failed' })
  })
})

describe('serve', () => {
  test('`serve --json` prints the ready line, then requests, and other commands find it by its data directory', async () => {
    const server = await serve()
    expect(server.ready).toMatchObject({
      type: 'ready',
      data: `${folder.path}/.psp`,
      api_key: expect.stringMatching(/^sk_/),
    })
    const made = await run('payments create --amount 100 --json')
    expect(made.stderr).toBe('')
    await waitUntil(() => server.output().trimEnd().split('\n').length === 2)
    expect(JSON.parse(server.output().split('\n')[1] ?? '')).toMatchObject({
      type: 'request',
      method: 'POST',
      path: '/v1/public/payments',
      status: 201,
      decided_by: 'default',
    })
    const second = await run('serve --port 0')
    expect(second.code).toBe(9)
    expect(second.stderr).toContain(server.ready.url)
    server.signal('SIGINT')
    expect((await server.ended).code).toBe(0)
  })

  test('`serve` prints a banner on stderr and one line for each request on stdout', async () => {
    const running = startPsp(['serve', '--port', '0', '--ephemeral'], {
      cwd: folder.path,
      terminal: true,
      env: { TERM: 'xterm' },
    })
    const url = await waitUntil(() => /PSP_URL=(\S+)/.exec(running.errors())?.[1])
    expect(running.errors()).toContain('PSP_WEBHOOK_SECRET=whs_psp0development0webhook0not0a0secret\n')
    await run(`payments get nonsense --url ${url}`)
    await waitUntil(() => running.output() !== '')
    running.signal('SIGINT')
    const { stdout, code } = await running.ended
    expect(code).toBe(0)
    expect(stdout).toMatch(/404\S* {2}GET {4}\/v1\/public\/payments\/nonsense/)
    expect(stdout).toContain('\u001b[')
  })

  test('`serve` runs scenarios that are posted to it', async () => {
    const server = await serve('--quiet')
    const post = async (scenario: unknown) => {
      const reply = await fetch(`${server.ready.url}/_psp/trigger`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ scenario }),
      })
      return { status: reply.status, body: await reply.json() }
    }
    expect(await post('partial-refunds')).toMatchObject({ status: 201, body: { name: 'partial-refunds', ok: true } })
    expect(await post({ name: 'x', steps: [{ do: 'nothing' }] })).toMatchObject({ status: 400 })
    server.signal('SIGTERM')
    await server.ended
  })
})

describe('demo', () => {
  test('`psp demo` sees and verifies each step', async () => {
    const { code, stdout } = await run('demo')
    expect(code).toBe(0)
    expect(stdout).toMatch(/payment\.succeeded {2}200 {2}signature verified/)
    expect(stdout).toMatch(/payment\.expired {2}200/)
    expect(stdout.match(/payment\.succeeded {2}500/g)).toHaveLength(3)
    const lines = (await run('demo --json')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toMatchObject({ type: 'result', ok: true, failed: [], webhooks: 8 })
  })

  test('the titles of `psp demo` are complete in a narrow terminal', async () => {
    const scenes = (await run('demo --json')).stdout.split('\n').filter((line) => line.includes('"type":"scene"'))
    const titles = scenes.map((line) => String(JSON.parse(line).title))
    const { stdout } = await psp('demo', { cwd: folder.path, env: { PSP_PORT: '1' }, terminal: true, columns: 24 })
    const text = stripVTControlCharacters(stdout).replaceAll(/\s+/g, ' ')
    expect(titles.some((title) => title.length > 24)).toBe(true)
    expect(titles.filter((title) => !text.includes(title))).toEqual([])
  })
})
