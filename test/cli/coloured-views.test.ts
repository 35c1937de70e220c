// Colour adds escape sequences and nothing else: without them every view reads as it does plain.
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPaint } from '../../src/cli/output/colour.ts'
import { startReceiver, startTestServer, type TestReceiver, type TestServer, waitUntil } from './helpers.ts'

let rig: TestServer
let shop: TestReceiver

beforeAll(async () => {
  rig = await startTestServer()
  shop = await startReceiver()
  await rig.psp(`webhooks endpoints create http://127.0.0.1:${shop.port}/hooks`)
  await rig.psp('trigger payment.succeeded --set order_id=42')
  await rig.psp('trigger payment.failed')
  await rig.psp('payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111')
  await rig.psp('rules add failed:insufficient_funds --match order_id=42')
  await rig.psp('faults add api status:503 --match path=/never')
  await rig.psp('store snapshot before')
  await rig.psp('clock advance 20m')
})
afterAll(async () => {
  await rig.close()
  await shop.close()
})

const VIEWS = [
  'payments list',
  'payments get PAYMENT',
  'payouts list',
  'payouts get PAYOUT',
  'events list',
  'events get EVENT',
  'webhooks endpoints list',
  'webhooks deliveries list',
  'webhooks deliveries get DELIVERY',
  'rules list',
  'faults list',
  'shops list',
  'keys list',
  'clock show',
  'settings',
  'store snapshots',
  'logs',
  'logs --show-body',
  'banks',
  'config',
  'wait payment.succeeded --since 1d',
  'wait payment.succeeded --timeout 1ms',
  'payments get nothing',
  'paymints',
]

test.each(VIEWS)('psp %s', async (view) => {
  const line = await withIds(view)
  const painted = await rig.psp(`${line} --color always`)
  const plain = await rig.psp(`${line} --color never`)
  expect(painted.code).toBe(plain.code)
  expect(bare(painted.stdout)).toBe(PLACES[view]?.(plain.stdout) ?? plain.stdout)
  expect(withoutClock(bare(painted.stderr))).toBe(withoutClock(plain.stderr))
})

/** The note about the clock needs a response, which may arrive after a wait of 1 ms has timed out. */
const withoutClock = (stderr: string) => stderr.replace(/^Times are the sandbox's\..*\n/m, '')

/** What tells of the colour itself. */
const PLACES: Readonly<Record<string, (plain: string) => string>> = {
  config: (plain) => plain.replace('never ', 'always'),
}

test('psp listen, with the clock moved and an answer that is refused', async () => {
  const refusing = await startReceiver()
  refusing.response = { status: 500, body: 'no' }
  const running = rig.startPsp(['listen', '--forward', `:${refusing.port}/hooks`, '--color', 'always'])
  await waitUntil(() => running.errors().includes('Ready'))
  await rig.psp('trigger payment.succeeded')
  await waitUntil(() => running.output().includes('<--'))
  running.signal('SIGINT')
  const { stdout } = await running.ended
  await refusing.close()
  const [event = '', attempt = ''] = bare(stdout).split('\n')
  expect(event).toMatch(/-->.* {2}sandbox time \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  expect(attempt).toMatch(/<-- 500 POST .* {2}\d+ ms {2}attempt 1 of 9, next in 10 s of frozen time$/)
})

test('a look paints one text, also where more arguments come', async () => {
  const paint = await createPaint(1)
  for (const look of Object.values(paint) as ((text: string) => string)[])
    expect(['a', 'b'].map(look).map(bare)).toEqual(['a', 'b'])
})

/** Without colour; nothing else that controls a terminal, and no remains of it, may be left. */
function bare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/(?<!\u001b)\[\d+(;\d+)*m/)
  return stripVTControlCharacters(text)
}

/** The newest object of a kind stands for its name in capitals. */
async function withIds(view: string): Promise<string> {
  const [name] = /[A-Z]+/.exec(view) ?? []
  if (name === undefined) return view
  const listed = await rig.psp(`${view.replace(/ get .*/, '')} list --json`)
  return view.replace(name, JSON.parse(listed.stdout).items[0].id)
}
