import { writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { INDENT } from '../../../src/cli/commands/listen/lines.ts'
import { wrapLine } from '../../../src/cli/output/lines.ts'
import {
  closeHandlers,
  createTestDir,
  serveHandler,
  startListener,
  startReceiver,
  startTestServer,
  type TestReceiver,
  type TestServer,
  waitUntil,
} from '../helpers.ts'

let testServer: TestServer
let app: TestReceiver

beforeAll(async () => {
  testServer = await startTestServer()
  app = await startReceiver()
})
afterAll(async () => {
  closeHandlers()
  await app.close()
  await testServer.close()
})

test('overlapping responses name their event, and a repeated attempt has its number', async () => {
  const received: ServerResponse[] = []
  // The connections of the first two requests close when both have arrived, so their attempts overlap.
  const url = await serveHandler((_, response) => {
    received.push(response)
    if (received.length > 2) response.end()
    else if (received.length === 2) for (const each of received) each.destroy()
  })
  const running = await startListener(testServer, '--forward', `${url}/hooks`)
  await Promise.all([testServer.psp('trigger payment.failed'), testServer.psp('trigger payment.failed')])
  await waitUntil(() => running.output().split('<--').length > 2)
  await testServer.psp('clock advance --until-idle')
  await waitUntil(() => running.output().split('<-- 200').length > 2)
  running.signal('SIGINT')
  const lines = (await running.ended).stdout.split('\n').filter((line) => /-->|<--/.test(line))
  let latest: string | undefined
  for (const line of lines) {
    if (line.includes('-->')) latest = /evt_\w+/.exec(line)?.[0]
    else expect(/evt_\w+/.exec(line)?.[0]).not.toBe(latest)
  }
  expect(lines.filter((line) => line.includes('<-- ---') && line.includes('evt_'))).not.toEqual([])
  expect(lines.filter((line) => /-->.* {2}attempt 2 of 9/.test(line))).toHaveLength(2)
  const times = lines.map((line) => line.slice(0, 12))
  expect(times).toEqual(times.toSorted())
})

test.each([
  ['real', ''],
  ['scaled', ' of sandbox time'],
  ['frozen', ' of frozen time'],
] as const)(
  'while a %s clock is moved, each response follows its request and names the next retry',
  async (mode, of) => {
    const moved = await startTestServer({ clock: mode === 'scaled' ? { mode, speed: 60 } : { mode } })
    const running = await startListener(moved, '--forward', `:${app.port}/hooks`)
    app.response = { status: 500, body: 'no' }
    await moved.psp('trigger payment.failed')
    await waitUntil(() => running.output().includes('attempt 1 of 9, next'))
    await moved.psp('clock advance --until-idle')
    await waitUntil(() => running.output().includes('exhausted'))
    running.signal('SIGINT')
    const printed = (await running.ended).stdout.matchAll(
      /(-->|<--)(?:.*attempt (\d of 9)(?:, (next .*|exhausted))?)?/g,
    )
    const steps = ['10 s', '1 min', '5 min', '30 min', '2 h', '6 h', '24 h', '48 h'].map(
      (step) => `next in ${step}${of}`,
    )
    expect([...printed].map(([, arrow, attempt, next]) => [arrow, attempt, next])).toEqual(
      [...steps, 'exhausted'].flatMap((next, at) => [
        ['-->', at === 0 ? undefined : `${at + 1} of 9`, undefined],
        ['<--', `${at + 1} of 9`, next],
      ]),
    )
    await moved.close()
  },
)

test('the lines of a replay and of an edited body are marked', async () => {
  app.response = { status: 200 }
  const folder = createTestDir()
  const file = join(folder.path, 'edited.json')
  writeFileSync(file, '{"id":"evt_1","event":"payment.succeeded","data":{}}')
  const running = await startListener(testServer, '--forward', `:${app.port}/hooks`)
  await testServer.psp('trigger payment.succeeded')
  await waitUntil(() => running.output().includes('<-- 200'))
  const id = /evt_\w+/.exec(running.output())?.[0]
  await testServer.psp(`events replay ${id} --body ${file}`)
  await waitUntil(() => running.output().split('<-- 200').length > 2)
  await testServer.psp(`events replay ${id}`)
  await waitUntil(() => running.output().split('<-- 200').length > 3)
  running.signal('SIGINT')
  const lines = (await running.ended).stdout.split('\n').filter((line) => line.includes('-->'))
  expect(lines.map((line) => / {2}(edited|replay)$/.exec(line)?.[1])).toEqual([undefined, 'edited', 'replay'])
  folder.remove()
})

test('ids are shortened in a line that is too long for the terminal', () => {
  const line = 'payment 3bac26d9-9b8d-4b9e-8e34-77d1b2b7a1c0  1 500.00 RUB'
  expect(wrapLine(line, 40, INDENT)).toBe('payment 3bac26d9-…  1 500.00 RUB')
  expect(wrapLine(line, 80, INDENT)).toBe(line)
  expect(wrapLine(line, undefined, INDENT)).toBe(line)
})

test('a line that is still too long for the terminal is wrapped between words', () => {
  const line = `12:00:01.123  <-- 500 POST http://localhost:3000/hooks  45 ms  attempt 1 of 9, next in 10 s  evt_${'9'.repeat(24)}`
  const rows = wrapLine(line, 80, INDENT).split('\n')
  expect(rows.length).toBeGreaterThan(1)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  expect(rows.slice(1).every((row) => row.startsWith(' '.repeat(18)))).toBe(true)
  expect(rows.join(' ').split(/ +/)).toEqual(line.split(/ +/))
})

test('`trigger --list` prints aligned columns and wraps between words', async () => {
  const { stdout } = await testServer.psp('trigger --list --color never', { terminal: true, columns: 80 })
  const rows = stdout.split('\n').slice(stdout.split('\n').indexOf('Scenarios') + 1)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  const starts = rows.filter((row) => row !== '').map((row) => /^ {2}[a-z0-9-]*\s+(?=\S)/.exec(row)?.[0].length)
  expect(new Set(starts).size).toBe(1)
})
