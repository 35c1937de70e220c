// `psp ui` in a real terminal, driven by its keys.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import stringWidth from 'string-width'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { newFolder, startReceiver } from './psp.ts'
import { clearArtifacts, hasTmux, type OpenTerminal, openTerminal } from './terminal.ts'

const LONG = 600_000

let folder: ReturnType<typeof newFolder>
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

if (!hasTmux) console.warn('tmux is not installed: the view is not tested in a real terminal.')

async function terminal(columns: number, rows: number, env: Record<string, string> = {}): Promise<OpenTerminal> {
  folder = newFolder()
  const { cwd, remove } = folder
  ends.push(remove)
  const opened = await openTerminal({ cwd, columns, rows, env })
  ends.push(opened.close)
  return opened
}

async function openView(term: OpenTerminal, flags = ''): Promise<void> {
  await term.runs(`$PSP ui ${flags}; echo ended with $?`)
  await term.shows(/1 Payments/, /connecting/)
}

/** Once a screen that is being drawn is whole, each row of it is as wide as the terminal. */
async function expectAligned(term: OpenTerminal, name: string, width: number): Promise<void> {
  await expect
    .poll(async () => {
      const lines = (await term.keep(name)).split('\n').filter((line) => /^[│╭╰]/.test(line))
      return [lines.length > 3, lines.filter((line) => stringWidth(line) !== width)]
    })
    .toEqual([true, []])
}

describe.skipIf(!hasTmux)('in a real terminal', { timeout: LONG }, () => {
  beforeAll(clearArtifacts)

  it('a payment is created, paid, refunded and replayed, the clock advanced, the terminal resized', async () => {
    const receiver = await startReceiver(() => (receiver.received.length === 1 ? 500 : 200))
    ends.push(receiver.close)
    const term = await terminal(80, 24, { PSP_ENDPOINT: `http://127.0.0.1:${receiver.port}/hooks` })
    await openView(term)
    await term.shows(/No payments yet/)
    await expectAligned(term, '80x24-empty', 80)

    await term.keys('f')
    await term.shows(/clock frozen/)
    await term.keys('n')
    await term.shows(/New payment or payout/)
    await term.types('1500.50')
    await term.keys('Tab', 'Tab', 'Tab')
    await term.types('Заказ 全角 5')
    await term.keys('Tab', 'Right', 'Right', 'Right')
    await term.shows(/outcome +‹ requires_action ›/)
    await expectAligned(term, '80x24-form', 80)
    await term.keys('Enter')
    await term.shows(/○ pending .*1 500\.50 RUB +sbp +Заказ 全角 5/)

    await term.keys('p')
    await term.shows(/✓ succeeded .*1 500\.50 RUB/)
    await receiver.count(1)
    await term.keys('3')
    await term.shows(/○ waiting +[\d:.]+ +payment\.succeeded +[0-9a-f]{8} +500 +1\/9/)
    await term.keep('80x24-deliveries')

    await term.keys('a')
    await term.shows(/Move the clock ahead/)
    await term.keys('C-u')
    await term.types('10s')
    await term.keys('Enter')
    await term.shows(/✓ delivered +[\d:.]+ +payment\.succeeded +[0-9a-f]{8} +200/)
    await receiver.count(2)

    await term.keys('x')
    await term.shows(/Send payment\.succeeded of \w+ again\? +y\/N/)
    await term.keep('80x24-question')
    await term.keys('y')
    await receiver.count(3)
    await term.shows(/ 1 of 2 /)

    await term.keys('1', 'r')
    await term.shows(/amount +1500\.50/)
    await term.keys('C-u')
    await term.types('500')
    await term.keys('Enter')
    await receiver.count(4)
    await term.keys('Enter')
    await term.shows(/✓ refund succeeded +500\.00 RUB/)
    await term.pressedShows('G', /← answer/)
    await term.keep('80x24-detail')

    await term.resize(200, 50)
    await term.shows(/╮╭─ Payment/)
    await term.keys('g')
    await term.shows(/Timeline[\s\S]*○ pending[\s\S]*◐ processing[\s\S]*✓ succeeded[\s\S]*Refunds/)
    await expectAligned(term, '200x50-detail', 200)
    await term.keys('Escape', '4')
    await term.shows(/POST +\/v1\/public\/payments/)
    await term.keep('200x50-requests')
    await term.keys('5')
    await term.shows(/payment +processing -> succeeded/)
    await expectAligned(term, '200x50-stream', 200)

    await term.resize(60, 16)
    await term.shows(/5 Stream/, /╮╭/)
    await expectAligned(term, '60x16-stream', 60)
    await term.keys('1')
    await term.shows(/✓ succeeded/)
    await expectAligned(term, '60x16-payments', 60)
    await term.keep('60x16-payments')
    await term.keys('?')
    await term.shows(/more below/)
    await expectAligned(term, '60x16-help', 60)
    await term.resize(50, 12)
    await term.shows(/This terminal is 50x12; psp ui needs 60x16/)
    await term.resize(250, 80)
    await term.shows(/Keys/)
    await term.keys('Escape')
    await term.shows(/╮╭─ Payment/)
    await expectAligned(term, '250-detail', 250)
    await term.keep('250x80-payments')

    expect(receiver.received.every(({ valid }) => valid)).toBe(true)
    expect(new Set(receiver.received.slice(0, 3).map(({ body }) => body.toString())).size).toBe(1)
    await term.keys('q')
    const after = await term.shows(/ended with 0/)
    expect(after).not.toContain('Payments')
    expect(await term.asks('#{alternate_on} #{cursor_flag}')).toBe('0 1')
    const folderKept = await folder.psp('payments', 'list', '--json')
    expect(JSON.parse(folderKept.stdout).items).toHaveLength(1)
  })

  it('starts its own server and says so; without colour status has sign and word', async () => {
    const term = await terminal(80, 24, { NO_COLOR: '1' })
    await openView(term)
    await term.shows(/own server/)
    await folder.psp('payments', 'create', '--amount', '10073')
    await term.shows(/✗ failed/)
    await term.keep('80x24-no-colour')
    const coloured = readFileSync(join(import.meta.dirname, '../artifacts/tui/80x24-no-colour.ansi'), 'utf8')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(coloured).not.toMatch(/\u001b\[[\d;]*\b(3[0-7]|9[0-7])m/)
    await term.keys('C-c')
    expect(await term.shows(/ended with 0/)).toMatch(/this command started one at http/)
  })

  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 0],
    ['SIGHUP', 0],
    ['SIGQUIT', 131],
    ['SIGABRT', 134],
  ] as const)('%s gives the screen back and ends with %i', async (signal, code) => {
    const term = await terminal(80, 24)
    await openView(term)
    process.kill(pidOfView(), signal)
    await term.shows(new RegExp(`ended with ${code}`))
    expect(await term.asks('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  it('a fault of its own gives the screen back too, and is told in a line', async () => {
    const fault = "data:text/javascript,process.on('SIGUSR2',()=>{throw new Error('a fault made for this test')})"
    const term = await terminal(80, 24, { NODE_OPTIONS: `--import "${fault}"` })
    await openView(term)
    process.kill(pidOfView(), 'SIGUSR2')
    const text = await term.shows(/ended with 1/)
    expect(text).toContain('error a fault made for this test')
    expect(text).not.toContain('    at ')
    expect(await term.asks('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  it('a server that goes away and comes back is waited for', async () => {
    const term = await terminal(100, 30)
    const first = await folder.serve()
    const { port } = new URL(first.ready.url)
    await openView(term, `--url ${first.ready.url}`)
    process.kill(first.ready.pid, 'SIGTERM')
    await term.shows(/lost.*, trying again/)
    await term.keep('100x30-lost')
    await folder.start(['serve', '--port', port, '--json'], /"type":"ready"/)
    await folder.psp('payments', 'create', '--amount', '4200', '--url', first.ready.url)
    await term.shows(/42\.00 RUB/, /lost/)
    await term.keys('q')
    await term.shows(/ended with 0/)
  })

  it('a server that is not there is told before the screen is taken', async () => {
    const term = await terminal(80, 24)
    await term.runs('$PSP ui --url http://127.0.0.1:9; echo ended with $?')
    expect(await term.shows(/ended with 6/)).toContain('http://127.0.0.1:9 cannot be reached')
  })
})

it('without a terminal it prints the lines of tail, and says so', { timeout: LONG }, async () => {
  folder = newFolder()
  ends.push(folder.remove)
  const { child, line } = await folder.start(['ui'], /^No terminal: these are the lines of `psp tail`\.$/, 'all')
  await line(/Following the event stream/)
  await folder.psp('payments', 'create', '--amount', '100')
  expect(await line(/payment\.created/)).toMatch(/pending {2}1\.00 RUB/)
  child.kill('SIGTERM')
  const { exitCode, stdout } = await child
  expect(exitCode).toBe(0)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no escape may be there
  expect(stdout).not.toMatch(/\u001b/)
})

it('in the build, nothing but the view brings Ink and React along', () => {
  const dist = join(import.meta.dirname, '../../dist')
  const texts = new Map(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => [join(dist, name), readFileSync(join(dist, name), 'utf8')]),
  )
  const along = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const [, target = ''] of (texts.get(file) ?? '').matchAll(
      /^(?:import|export) [^'"]*?["'](\.[^"']+)["'];?$/gms,
    ))
      along(join(dirname(file), target), seen)
    return seen
  }
  const drawing = [...texts]
    .filter(([, text]) => text.includes('createReconciler') || text.includes('react.transitional'))
    .map(([file]) => file)
  expect(drawing).not.toEqual([])
  const loading = [...texts.keys()].filter((file) => drawing.some((heavy) => along(file).has(heavy)))
  expect(
    loading.map((file) => relative(dist, file)).filter((name) => !/^chunks\/(view|chunk|devtools)-\w+\.js$/.test(name)),
  ).toEqual([])
  expect(along(join(dist, 'cli/main.js')).size).toBeGreaterThan(1)
})

/** The view runs the server of its folder, and so holds its lock. */
function pidOfView(): number {
  return (JSON.parse(readFileSync(join(folder.cwd, '.psp/lock'), 'utf8')) as { pid: number }).pid
}
