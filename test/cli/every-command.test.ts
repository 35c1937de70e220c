// Each command prints the same text with and without colour, in two equal sandboxes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { coloursOf } from '../colours.ts'
import { LINES } from './command-lines.ts'
import {
  createTestDir,
  everyCommand,
  everyHelp,
  psp,
  type RunOptions,
  type RunResult,
  startPsp,
  startReceiver,
  startTestServer,
  type TestServer,
  waitUntil,
} from './helpers.ts'

/** Both sandboxes create the same ids. */
const ALIKE = { randomSeed: 7, clock: { mode: 'frozen', now: Date.parse('2026-05-06T12:00:00Z') } } as const

interface Side {
  readonly testServer: TestServer
  readonly shop: Awaited<ReturnType<typeof startReceiver>>
  readonly folder: ReturnType<typeof createTestDir>
  readonly env: Record<string, string>
}

let painted: Side
let plain: Side

async function side(env: Record<string, string>): Promise<Side> {
  const testServer = await startTestServer(ALIKE as never)
  const shop = await startReceiver()
  const made = { testServer, shop, folder: createTestDir(), env: { ...env, CI: '1', TERM: 'xterm-256color' } }
  writeFileSync(join(made.folder.path, 'body.json'), '{}')
  for (const line of BEFORE) await run(line, made)
  await testServer.psp('store snapshot first')
  return made
}

beforeAll(async () => {
  painted = await side({ FORCE_COLOR: '1' })
  plain = await side({ NO_COLOR: '1' })
})
// Commands change the sandbox, so each test restores it.
beforeEach(async () => {
  for (const one of [painted, plain]) await one.testServer.psp('store restore first')
})
afterAll(async () => {
  for (const { testServer, shop, folder } of [painted, plain]) {
    await testServer.close()
    await shop.close()
    folder.remove()
  }
})

/** Commands that create the objects of all others. */
const BEFORE = [
  'webhooks endpoints create HOOKS',
  'trigger payment.succeeded --set order_id=42',
  'trigger payment.failed',
  'payments create --amount 5000 --method sbp --outcome pending',
  'payouts create --amount 50000 --phone +79161234567 --bank-id 100000000111',
  'rules add failed:insufficient_funds --match order_id=none',
  'faults add api status:503 --match path=/never',
  'keys create',
  'store snapshot before',
  'store export state.json',
  'clock advance 20m',
]

/** Placeholders with the list whose newest row replaces them. */
const LISTS: Readonly<Record<string, string>> = {
  PAYMENT: 'payments list',
  PAYOUT: 'payouts list',
  EVENT: 'events list',
  DELIVERY: 'webhooks deliveries list',
  ENDPOINT: 'webhooks endpoints list',
  RULE: 'rules list',
  FAULT: 'faults list',
  KEY: 'keys list',
  SHOP: 'shops list',
}

/** Commands that delete data run last. */
const LAST = ['store reset', 'rules clear', 'faults clear', 'store import', 'store restore', 'store forget']
const ALL = everyCommand().toSorted((a, b) => LAST.indexOf(a.path) - LAST.indexOf(b.path))

// The order is fixed because random ids depend on the earlier commands.
describe('every command', { shuffle: false }, () => {
  test.each(ALL)('`psp $path` prints the same with and without colour', async ({ path, command }) => {
    const line = LINES[path] ?? path
    const withColour = await run(line, painted, command.isLongRunning)
    const without = await run(line, plain, command.isLongRunning)
    expect(withColour.code).toBe(without.code)
    expect(withoutVariableParts(stripVTControlCharacters(withColour.stdout), painted)).toBe(
      withoutVariableParts(without.stdout, plain),
    )
    expect(withoutVariableParts(stripVTControlCharacters(withColour.stderr), painted)).toBe(
      withoutVariableParts(without.stderr, plain),
    )
    expect(without.stdout + without.stderr).not.toBe('')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(without.stdout + without.stderr).not.toMatch(/\u001b/)
    expect(coloursOf(withColour.stdout + withColour.stderr).ambiguous).toEqual([])
  })

  test.each(['payments get nothing', 'paymints', 'logs --show-body', 'wait payment.succeeded --timeout 1ms'])(
    '`psp %s` prints the same with and without colour',
    async (line) => {
      const withColour = await run(line, painted)
      const without = await run(line, plain)
      expect(withColour.code).toBe(without.code)
      expect(stripVTControlCharacters(withColour.stdout)).toBe(without.stdout)
    },
  )

  test('each help text is the same with and without colour', async () => {
    for (const path of everyHelp()) {
      const line = `${path} --help`.trim().split(' ')
      const withColour = await psp(line, { env: { FORCE_COLOR: '1' } })
      const without = await psp(line, { env: { NO_COLOR: '1' } })
      expect(without.code, path).toBe(0)
      expect(stripVTControlCharacters(withColour.stdout), path).toBe(without.stdout)
      expect(withColour.stdout, path).not.toBe(without.stdout)
    }
  })

  test('an output with colour has colours', async () => {
    const { stdout } = await run('webhooks deliveries get DELIVERY', painted)
    expect(Object.fromEntries(coloursOf(stdout).byText)).toMatchObject({ delivered: new Set(['green']) })
  })
})

describe('a narrow terminal', () => {
  /** Commands that print data for a program, such as a script, or headers and JSON. */
  const RAW = ['completion', 'events get', 'openapi', 'request', 'sign']

  test.each(ALL.filter(({ path }) => !RAW.includes(path)))(
    '`psp $path` prints no line that is wider than the terminal',
    async ({ path, command }) => {
      for (const columns of [40, 80]) {
        const { stdout, stderr } = await run(LINES[path] ?? path, plain, command.isLongRunning, columns)
        const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.length > columns)
        // The headers and bodies of webhooks stay whole, so that they can be copied.
        const tooWide = lines.filter((line) => !/^[<>] [a-z{]/i.test(line))
        // A label and one word, such as an id or a URL, cannot be wrapped.
        expect(tooWide.filter((line) => !/^(\S+( \S+){0,2} {2,}|\s*)\S+$/.test(line))).toEqual([])
      }
    },
  )
})

describe('output without colour', () => {
  test.each([
    ['NO_COLOR', { terminal: true, env: { NO_COLOR: '1' } }],
    ['TERM=dumb', { terminal: true, env: { TERM: 'dumb' } }],
    ['FORCE_COLOR=0', { terminal: true, env: { FORCE_COLOR: '0' } }],
    ['a pipe', {}],
    ['a CI job without a terminal', { env: { CI: 'true' } }],
    ['NO_COLOR and FORCE_COLOR at once', { terminal: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' } }],
  ] as const)('states are words if colour is off because of %s', async (_, options: RunOptions) => {
    const { stdout } = await psp('payments list', {
      ...options,
      env: { ...options.env, PSP_URL: plain.testServer.url },
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(stdout).not.toMatch(/\u001b/)
    expect(stdout).toMatch(/ (pending|succeeded|failed|cancelled|refunded) /)
  })
})

async function run(
  line: string,
  { testServer, shop, folder, env }: Side,
  stays = false,
  columns = 200,
): Promise<RunResult> {
  const options = { cwd: folder.path, env: { PSP_URL: testServer.url, ...env }, terminal: true, columns }
  const words: string[] = []
  for (const word of line.replace('HOOKS', `http://127.0.0.1:${shop.port}/hooks`).split(' '))
    words.push(LISTS[word] === undefined ? word : await newest(LISTS[word], testServer))
  // The child of `exec` ends without a signal.
  if (!stays || words[0] === 'exec') return await psp(words, options)
  const running = startPsp(words, options)
  // The command has started, or has already ended.
  await Promise.race([running.ended, waitUntil(() => running.output() + running.errors() !== '')])
  running.signal('SIGINT')
  return await running.ended
}

async function newest(list: string, testServer: TestServer): Promise<string> {
  const { stdout } = await testServer.psp(`${list} --json`)
  return (JSON.parse(stdout) as { items: { id: string }[] }).items[0]?.id ?? 'none'
}

/** Replaces the parts that differ between runs: ports, directories, machine times and durations. */
function withoutVariableParts(text: string, { folder }: Side): string {
  return (
    text
      .replaceAll(folder.path, 'FOLDER')
      .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:PORT')
      .replace(/\b[\d.]+ (m?s)\b/g, 'N $1')
      .replace(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME')
      // Signatures and response dates have the system time.
      .replace(/(x-psp-timestamp: |[ ,]t=)\d+/g, '$1N')
      .replace(/v2=[0-9a-f]+/g, 'v2=MAC')
      .replace(/date: .*GMT/g, 'date: TIME')
      .replace(/^(before|first|other) +\S+ \S+$/gm, '$1  TIME')
      .replace(/\d+ MiB/g, 'N MiB')
      // `psp doctor` names the reason for its colour.
      .replace(/(NO_COLOR, no|FORCE_COLOR 1,) colour/, 'COLOUR')
      .replace(/ {2,}/g, '  ')
  )
}
