import { afterAll, beforeAll, expect, test } from 'vitest'
import { fitted } from '../../src/cli/commands/listen/lines.ts'
import { until } from './rig.ts'
import { type Receiver, receiver, type ServerRig, serverRig } from './server-rig.ts'

let rig: ServerRig
let app: Receiver

beforeAll(async () => {
  rig = await serverRig()
  app = await receiver()
})
afterAll(async () => {
  await app.close()
  await rig.close()
})

test('answers that overlap name their event, others do not; a repeated attempt says which it is', async () => {
  app.answer = { status: 500, silent: true }
  const running = rig.start(['listen', '--forward', `:${app.port}/hooks`, '--timeout', '300ms'])
  await until(() => running.errors().includes('Ready.'))
  await Promise.all([rig.psp('trigger payment.failed'), rig.psp('trigger payment.failed')])
  await until(() => running.output().split('<--').length > 2)
  app.answer = { status: 200 }
  await rig.psp('clock advance --until-idle')
  await until(() => running.output().split('<-- 200').length > 2)
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

test('a line that is too long for the terminal has its ids shortened', () => {
  const line = 'payment 3bac26d9-9b8d-4b9e-8e34-77d1b2b7a1c0  1 500.00 RUB'
  expect(fitted(line, 40)).toBe('payment 3bac26d9-…  1 500.00 RUB')
  expect(fitted(line, 80)).toBe(line)
  expect(fitted(line, undefined)).toBe(line)
})

test('a line that is too long for the terminal all the same is broken between words, under its text', () => {
  const line = `12:00:01.123  <-- 500 POST http://localhost:3000/hooks  45 ms  attempt 1 of 9, next in 10 s  evt_${'9'.repeat(24)}`
  const rows = fitted(line, 80).split('\n')
  expect(rows.length).toBeGreaterThan(1)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  expect(rows.slice(1).every((row) => row.startsWith(' '.repeat(18)))).toBe(true)
  expect(rows.join(' ').split(/ +/)).toEqual(line.split(/ +/))
})

test('trigger --list stands in columns and breaks between words', async () => {
  const { stdout } = await rig.psp('trigger --list --color never', { terminal: true, columns: 80 })
  const rows = stdout.split('\n').slice(stdout.split('\n').indexOf('Scenarios') + 1)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  const starts = rows.filter((row) => row !== '').map((row) => /^ {2}[a-z0-9-]*\s+(?=\S)/.exec(row)?.[0].length)
  expect(new Set(starts).size).toBe(1)
})
