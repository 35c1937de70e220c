import { describe, expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { createTestDir, waitUntil } from '../helpers.ts'
import { setUpListen } from './fixtures.ts'

const setup = setUpListen()

const lines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('--json', () => {
  test('`listen --json` prints ready, event and attempt lines, and `verify --delivery` reads them', async () => {
    const running = await setup.listen('--forward', `${setup.receiver.port}/x`, '--json')
    await setup.server.psp('trigger payment.succeeded')
    await waitUntil(() => running.output().includes('"attempt"') && lines(running.output()).length === 3)
    running.signal('SIGINT')
    const { stdout, stderr } = await running.ended
    const [ready, event, attempt] = lines(stdout)
    expect(ready).toMatchObject({ type: 'ready', url: setup.server.url, secret: DEFAULT_SHOP.webhook_secret })
    expect(event).toMatchObject({ type: 'event', event: 'payment.succeeded', attempt: 1, attempts_total: 9 })
    expect(Buffer.from(event.body_b64, 'base64').equals(setup.receiver.bodies[0] ?? Buffer.alloc(0))).toBe(true)
    expect(attempt).toMatchObject({ type: 'attempt', status: 200, delivery_status: 'delivered', next_attempt_at: null })
    expect(stderr).toBe('')

    const folder = createTestDir()
    const verify = (line: string, ...more: string[]) =>
      setup.server.psp(['verify', '--delivery', '-', '--json', ...more], { stdin: line, cwd: folder.path })
    const eventLine = stdout.split('\n')[1] ?? ''
    expect(JSON.parse((await verify(stdout)).stdout)).toMatchObject({ valid: true })
    const tampered = JSON.stringify({
      ...event,
      body_b64: Buffer.from('{"id":"evt_1","event":"x"}').toString('base64'),
    })
    expect(await verify(tampered)).toMatchObject({ code: 8 })
    const later = await verify(eventLine, '--now', '2099-01-01T00:00:00Z')
    expect([later.code, JSON.parse(later.stdout).cause]).toEqual([8, 'stale'])
    const other = await verify(eventLine, '--secret', DEFAULT_SHOP.signing_secret)
    expect(JSON.parse(other.stdout).cause).toBe('wrong_secret_kind')
    const byId = await setup.server.psp(`verify --delivery ${event.delivery_id}`)
    expect(byId.stdout).toMatch(/^valid/)
    folder.remove()
  })

  test('`listen --print-secret` prints the secret and ends', async () => {
    expect(await setup.server.psp('listen --print-secret')).toEqual({
      code: 0,
      stdout: `${DEFAULT_SHOP.webhook_secret}\n`,
      stderr: '',
    })
  })
})
