// What a person sees at 80 columns.
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, startTestServer, type TestReceiver, type TestServer, waitUntil } from './helpers.ts'

let rig: TestServer
let app: TestReceiver
const ORDER = 'очень-длинный-заказ-номер-1234567890-abcdefghijklmnop'
const NARROW = { terminal: true, columns: 80 }

beforeAll(async () => {
  rig = await startTestServer()
  app = await startReceiver()
  const { stdout } = await rig.psp(`payments create --amount 150000 --order-id ${ORDER} --json`)
  await rig.psp('clock advance --until-idle')
  await rig.psp(`payments refund ${JSON.parse(stdout).payment.id} --amount 100`)
})
afterAll(async () => {
  await rig.close()
  await app.close()
})

const rowsOf = (text: string) =>
  text
    .split('\n')
    .map((row) => stripVTControlCharacters(row))
    .filter((row) => row !== '')

/** No row is wider, and each word is whole. */
function expectWhole(text: string, words: readonly RegExp[]): void {
  const rows = rowsOf(text)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
  for (const word of words) expect(rows.some((row) => word.test(row))).toBe(true)
  for (const row of rows) expect(row).toMatch(/^(\d\d:\d\d:\d\d\.\d{3} {2}\S| {14}\S)/)
}

test('psp logs: the status before the path, which is not torn', async () => {
  const { stdout } = await rig.psp('logs --path /v1/public/payments', NARROW)
  expectWhole(stdout, [/^\S+ {2}201 {2}POST {3}\/v1\/public\/payments\/[0-9a-f]{8}-…\/refund /])
})

test('psp tail', async () => {
  const running = rig.startPsp(['tail', '--color', 'never'], NARROW)
  await waitUntil(() => running.errors().includes('Following'))
  await rig.psp(`payments create --amount 150000 --order-id ${'o'.repeat(30)}`)
  await rig.psp('clock advance --until-idle')
  await waitUntil(() => running.output().includes('succeeded'))
  running.signal('SIGINT')
  expectWhole((await running.ended).stdout, [/pending -> processing/, /\b1 500\.00 RUB/])
})

test('psp wait', async () => {
  const { stdout } = await rig.psp('wait payment.succeeded --since 30d', NARROW)
  expectWhole(stdout, [/\b[0-9a-f]{8}-…/, new RegExp(ORDER)])
})

test('one long order is cut, and costs no column', async () => {
  const { stdout } = await rig.psp('payments list --color never', NARROW)
  const [title = '', ...rows] = rowsOf(stdout)
  expect(title.split(/ {2,}/)).toEqual(['payment', 'status', 'amount', 'method', 'order', 'created (UTC)'])
  expect(rows.some((row) => /очень-длинн\S*… {2}\d\d-\d\d \d\d:\d\d/.test(row))).toBe(true)
  for (const row of rows) expect(row.length).toBeLessThanOrEqual(80)
})

test('events of one minute can be told apart by their times', async () => {
  const { stdout } = await rig.psp('events list', NARROW)
  expect(rowsOf(stdout)[1]).toMatch(/ \d\d-\d\d \d\d:\d\d:\d\d /)
})

test('of faults, what is left is shown, and what is spent', async () => {
  await rig.psp('faults add webhook drop --match event=payment.failed --times 3')
  await rig.psp('faults add api latency:1ms --match method=POST --times 1')
  await rig.psp('payments create --amount 100')
  const { stdout } = await rig.psp('faults list --color never', NARROW)
  const [title = '', ...rows] = rowsOf(stdout)
  expect(title).toMatch(/^fault +target +what +left +match/)
  expect(rows.map((row) => /(?<= )(spent|\d)(?= )/.exec(row)?.[0]).sort()).toEqual(['3', 'spent'])
})

test('psp listen --show-body shows all of a body, under its line', async () => {
  const show = async (options: { terminal?: boolean; columns?: number }) => {
    const running = rig.startPsp(['listen', '--forward', String(app.port), '--show-body', '--color', 'never'], options)
    await waitUntil(() => running.errors().includes('Ready.'))
    await rig.psp(`trigger payment.succeeded --set metadata.note=${'n'.repeat(600)}`)
    await waitUntil(() => running.output().includes('<--'))
    running.signal('SIGINT')
    return (await running.ended).stdout
  }
  expect(JSON.parse((await show({})).split('\n')[1] ?? '')).toMatchObject({
    data: { metadata: { note: 'n'.repeat(600) } },
  })
  const rows = (await show(NARROW)).split('\n').filter((row) => !/^\d|^$/.test(row))
  for (const row of rows) expect(row).toMatch(/^ {18}\S.{0,61}$/)
  expect(rows.map((row) => row.trim()).join('')).toContain('n'.repeat(600))
})
