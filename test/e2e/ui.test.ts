// Runs `psp ui` in a real terminal and controls it by keys.
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, relative } from 'node:path'
import stringWidth from 'string-width'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { reservedPort } from '../ports.ts'
import { createWorkspace, isExecutable, startVerifyingReceiver } from './helpers.ts'
import { clearArtifacts, hasTmux, type OpenTerminal, openTerminal } from './terminal.ts'

const TIMEOUT = 600_000

let workspace: ReturnType<typeof createWorkspace>
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end()
})

/** The simulated buyer and bank do not wait. */
const AT_ONCE = { PSP_SET_DELAYS_BUYER: '10ms', PSP_SET_DELAYS_BANK: '10ms' }

const HAS_TMUX = hasTmux()
if (!HAS_TMUX) console.warn('tmux is not installed, so the tests of `psp ui` in a real terminal are skipped.')

async function terminal(columns: number, rows: number, env: Record<string, string> = {}): Promise<OpenTerminal> {
  workspace = createWorkspace()
  const { cwd, remove } = workspace
  cleanups.push(remove)
  const opened = await openTerminal({ cwd, columns, rows, env })
  cleanups.push(opened.close)
  return opened
}

async function openView(term: OpenTerminal, flags = ''): Promise<void> {
  await term.run(`$PSP ui ${flags}; echo ended with $?`)
  await term.waitFor(/1 Payments/, /connecting/)
}

/** Waits until every framed row of the screen is as wide as the terminal, because a screen may be half drawn. */
async function expectAligned(term: OpenTerminal, name: string, width: number): Promise<void> {
  await expect
    .poll(async () => {
      const lines = (await term.capture(name)).split('\n').filter((line) => /^[│╭╰]/.test(line))
      return [lines.length > 3, lines.filter((line) => stringWidth(line) !== width)]
    })
    .toEqual([true, []])
}

describe.skipIf(!HAS_TMUX)('psp ui in a real terminal', { timeout: TIMEOUT }, () => {
  beforeAll(clearArtifacts)

  it('creates, pays, refunds and replays a payment, advances the clock, and handles resizes', async () => {
    const receiver = await startVerifyingReceiver(() => (receiver.received.length === 1 ? 500 : 200))
    cleanups.push(receiver.close)
    const term = await terminal(80, 24, { PSP_ENDPOINT: `http://127.0.0.1:${receiver.port}/hooks` })
    await openView(term)
    await term.waitFor(/No payments yet/)
    await expectAligned(term, '80x24-empty', 80)

    await term.press('f')
    await term.waitFor(/clock frozen/)
    await term.press('n')
    await term.waitFor(/New payment or payout/)
    // Text and the next key may arrive in one read, which counts as a paste.
    await term.type('1500.50')
    await term.waitFor(/1500\.50/)
    await term.press('Tab', 'Tab', 'Tab')
    await term.waitFor(/▸ order/)
    await term.type('Заказ 全角 5')
    await term.waitFor(/Заказ 全角 5/)
    await term.press('Tab', 'Right', 'Right', 'Right')
    await term.waitFor(/outcome +‹ requires_action ›/)
    await expectAligned(term, '80x24-form', 80)
    await term.press('Enter')
    await term.waitFor(/○ pending .*1 500\.50 RUB .*Заказ 全角 5/)

    await term.press('p')
    await term.waitFor(/Pay \w+, 1 500\.50 RUB\?/)
    await term.press('Enter')
    await term.waitFor(/✓ succeeded .*1 500\.50 RUB/)
    await receiver.count(1)
    await term.press('3')
    await term.waitFor(/○ waiting +[\d:.]+ +payment\.succeeded +[0-9a-f]{8} +500 +1\/9/)
    await term.capture('80x24-deliveries')

    await term.press('a')
    await term.waitFor(/Advance the clock/)
    await term.press('C-u')
    await term.type('10s')
    await term.waitFor(/ 10s/)
    await term.press('Enter')
    await term.waitFor(/✓ delivered +[\d:.]+ +payment\.succeeded +[0-9a-f]{8} +200/)
    await receiver.count(2)

    await term.press('x')
    await term.waitFor(/Replay payment\.succeeded for \w+\?/)
    await term.capture('80x24-question')
    await term.press('y')
    await receiver.count(3)
    await term.waitFor(/ 1 of 2 /)

    await term.press('1')
    await term.waitFor(/✓ succeeded .*1 500\.50 RUB/)
    await term.press('r')
    await term.waitFor(/amount +1500\.50/)
    await term.press('C-u')
    await term.type('500')
    await term.waitFor(/amount +500(?!\.)/)
    await term.press('Enter')
    await receiver.count(4)
    await term.press('Enter')
    await term.waitFor(/✓ refund succeeded +500\.00 RUB/)
    await term.pressUntilShown('G', /← response/)
    await term.capture('80x24-detail')

    await term.resize(200, 50)
    await term.waitFor(/╮╭─ Payment/)
    await term.press('g')
    await term.waitFor(/Timeline[\s\S]*○ pending[\s\S]*◐ processing[\s\S]*✓ succeeded[\s\S]*Refunds/)
    await expectAligned(term, '200x50-detail', 200)
    await term.press('Escape')
    await term.waitFor(/Enter opens/)
    await term.press('4')
    await term.waitFor(/POST +\/v1\/public\/payments/)
    await term.capture('200x50-requests')
    await term.press('5')
    await term.waitFor(/payment +processing -> succeeded/)
    await expectAligned(term, '200x50-stream', 200)

    await term.resize(60, 16)
    await term.waitFor(/5 Stream/, /╮╭/)
    await expectAligned(term, '60x16-stream', 60)
    await term.press('1')
    await term.waitFor(/✓ succeeded/)
    await expectAligned(term, '60x16-payments', 60)
    await term.capture('60x16-payments')
    await term.press('?')
    await term.waitFor(/more below/)
    await expectAligned(term, '60x16-help', 60)
    await term.resize(38, 12)
    await term.waitFor(/This terminal is 38x12; psp ui needs/)
    await term.resize(40, 12)
    await term.waitFor(/^ psp +!0 +1/m)
    await term.resize(250, 80)
    await term.waitFor(/Keys/)
    await term.press('Escape')
    await term.waitFor(/╮╭─ Payment/)
    await expectAligned(term, '250-detail', 250)
    await term.capture('250x80-payments')

    expect(receiver.received.every(({ valid }) => valid)).toBe(true)
    expect(new Set(receiver.received.slice(0, 3).map(({ body }) => body.toString())).size).toBe(1)
    await term.press('q')
    const after = await term.waitFor(/ended with 0/)
    expect(after).not.toContain('Payments')
    expect(await term.query('#{alternate_on} #{cursor_flag}')).toBe('0 1')
    const listed = await workspace.psp('payments', 'list', '--json')
    expect(JSON.parse(listed.stdout).items).toHaveLength(1)
  })

  it('starts an embedded server and shows it, and shows a status as symbol and word without colour', async () => {
    const term = await terminal(80, 24, { ...AT_ONCE, NO_COLOR: '1' })
    await openView(term)
    await term.waitFor(/own server/)
    await workspace.psp('payments', 'create', '--amount', '10073')
    await term.waitFor(/✗ failed/)
    await term.capture('80x24-no-colour')
    const coloured = readFileSync(join(import.meta.dirname, '../artifacts/tui/80x24-no-colour.ansi'), 'utf8')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for colours
    expect(coloured).not.toMatch(/\u001b\[[\d;]*\b(3[0-7]|9[0-7])m/)
    await term.press('C-c')
    expect(await term.waitFor(/ended with 0/)).toMatch(/this command started one at http/)
  })

  it.each([
    ['SIGTERM', 0],
    ['SIGINT', 0],
    ['SIGHUP', 0],
    ['SIGQUIT', 131],
    ['SIGABRT', 134],
  ] as const)('restores the screen after %s and exits with %i', async (signal, code) => {
    const term = await terminal(80, 24)
    await openView(term)
    process.kill(pidOfView(), signal)
    await term.waitFor(new RegExp(`ended with ${code}`))
    expect(await term.query('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  it.skipIf(isExecutable)('restores the screen after an internal error and prints the error in one line', async () => {
    const crash = "data:text/javascript,process.on('SIGUSR2',()=>{throw new Error('an error thrown for this test')})"
    const term = await terminal(80, 24, { NODE_OPTIONS: `--import "${crash}"` })
    await openView(term)
    process.kill(pidOfView(), 'SIGUSR2')
    const text = await term.waitFor(/ended with 1/)
    expect(text).toContain('error an error thrown for this test')
    expect(text).not.toContain('    at ')
    expect(await term.query('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  // The executable contains the same code, so these three run once.
  it.skipIf(isExecutable)('reconnects after a restart of the server', async () => {
    const term = await terminal(100, 30)
    const port = String(await reservedPort())
    const server = await workspace.serve('--port', port)
    await openView(term, `--url ${server.ready.url}`)
    process.kill(server.ready.pid, 'SIGTERM')
    await term.waitFor(/lost.*, reconnecting/)
    await term.capture('100x30-lost')
    await workspace.start(['serve', '--port', port, '--json'], /"type":"ready"/)
    await workspace.psp('payments', 'create', '--amount', '4200', '--url', server.ready.url)
    await term.waitFor(/42\.00 RUB/, /lost/)
    await term.press('q')
    await term.waitFor(/ended with 0/)
  })

  it('edits the body of a webhook in the editor, sends it signed to its endpoint, and restores the screen', async () => {
    const receiver = await startVerifyingReceiver(() => 200)
    cleanups.push(receiver.close)
    const editor = `sh -c 'echo editing; read word; sed -i "s/150000/$word/" "$0"'`
    const term = await terminal(80, 24, { PSP_ENDPOINT: `http://127.0.0.1:${receiver.port}/hooks`, EDITOR: editor })
    await openView(term)
    await workspace.psp('trigger', 'payment.succeeded', '--set', 'amount=150000')
    await receiver.count(1)
    await term.press('3')
    await term.waitFor(/✓ delivered/)
    await term.press('Enter')
    await term.waitFor(/→ request/)
    await term.press('E')
    await term.waitFor(/editing/)
    expect(await term.query('#{alternate_on} #{mouse_any_flag}')).toBe('0 0')
    await term.resize(100, 30)
    await term.run('70001')
    await term.waitFor(/Send the edited body of payment\.succeeded to http:\/\/127/)
    await expectAligned(term, '100x30-edited', 100)
    expect(await term.query('#{alternate_on} #{mouse_any_flag}')).toBe('1 1')
    await term.press('Enter')
    await receiver.count(2)
    await term.press('Escape')
    await term.waitFor(/✓ delivered .* payment\.succeeded +edited .* 200/)
    expect(receiver.received.map(({ body, valid }) => [body.toString().includes('"amount":70001'), valid])).toEqual([
      [false, true],
      [true, true],
    ])
    expect(receiver.received[1]?.body).toHaveLength((receiver.received[0]?.body.length ?? 0) - 1)
    await term.press('q')
    await term.waitFor(/ended with 0/)
  })

  it('is suspended by Ctrl-Z and continued by fg', async () => {
    const term = await terminal(80, 24)
    await openView(term)
    await term.press('C-z')
    await term.waitFor(/Stopped/)
    expect(await term.query('#{alternate_on} #{cursor_flag} #{mouse_any_flag}')).toBe('0 1 0')
    await term.run('fg')
    await term.waitFor(/1 Payments/)
    await expectAligned(term, '80x24-continued', 80)
    expect(await term.query('#{alternate_on} #{mouse_any_flag}')).toBe('1 1')
    await term.press('n')
    await term.waitFor(/New payment or payout/)
    await term.press('C-c')
    await term.waitFor(/\$/, /1 Payments/)
    expect(await term.query('#{alternate_on} #{cursor_flag}')).toBe('0 1')
  })

  it.skipIf(isExecutable).each([
    ['q after a question', ['q', 'Enter']],
    ['Ctrl-C at once', ['C-c']],
  ])('ends an action on marked rows by %s, and prints how many are done', async (_, [key = '', ...confirm]) => {
    // It never responds, so neither do the requests of the action.
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as AddressInfo
    const term = await terminal(80, 24, { ...AT_ONCE, PSP_ENDPOINT: `http://127.0.0.1:${port}/hooks` })
    await openView(term)
    await workspace.psp('payments', 'create', '--amount', '4200', '--count', '6', '--outcome', 'succeeded')
    await term.waitFor(/succeeded 6/)
    await term.press('*')
    await term.press('x')
    await term.waitFor(/Replay the newest event of 6 payments/)
    await term.press('Enter')
    await term.waitFor(/0 of 6, Esc stops/)
    await term.press(key)
    if (confirm.length > 0) await term.waitFor(/0 of 6 done\. Stop and quit\?/)
    for (const each of confirm) await term.press(each)
    expect(await term.waitFor(/ended with 0/)).toContain('Stopped: 0 of 6 done. 4 requests have no response yet.')
  })

  it('handles keys that are typed while it starts', async () => {
    const term = await terminal(80, 24)
    await term.run('$PSP ui')
    await term.press('3')
    await term.press('n')
    await term.waitFor(/3 Deliveries[\s\S]*New payment or payout/)
    await term.press('C-c')
    await term.waitFor(/\$/, /Deliveries/)
  })

  it('reports an unreachable server before it switches to the alternate screen', async () => {
    const term = await terminal(80, 24)
    await term.run('$PSP ui --url http://127.0.0.1:9; echo ended with $?')
    expect(await term.waitFor(/ended with 6/)).toContain('http://127.0.0.1:9 cannot be reached')
  })
})

it('psp ui in a dumb terminal prints the lines of psp tail, and the note says why', { timeout: TIMEOUT }, async () => {
  const term = await terminal(80, 24)
  await term.run('TERM=dumb $PSP ui --url http://127.0.0.1:9')
  await term.waitFor(/TERM is dumb, so this is the output of `psp tail`/)
})

it('psp ui without a terminal prints the lines of psp tail, and a note about it', { timeout: TIMEOUT }, async () => {
  workspace = createWorkspace()
  cleanups.push(workspace.remove)
  const { child, line } = await workspace.start(
    ['ui'],
    /^stdout is not a terminal, so this is the output of `psp tail`\.$/,
    'all',
  )
  await line(/Following the event stream/)
  await workspace.psp('payments', 'create', '--amount', '100')
  expect(await line(/payment\.created/)).toMatch(/pending {2}1\.00 RUB/)
  child.kill('SIGTERM')
  const { exitCode, stdout } = await child
  expect(exitCode).toBe(0)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for escape sequences
  expect(stdout).not.toMatch(/\u001b/)
})

it('in the build only the file of the view loads Ink and React', () => {
  const dist = join(import.meta.dirname, '../../dist')
  const texts = new Map(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.c?js$/.test(name))
      .map((name) => [join(dist, name), readFileSync(join(dist, name), 'utf8')]),
  )
  const importsOf = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const [, target = ''] of (texts.get(file) ?? '').matchAll(
      /^(?:import|export) [^'"]*?["'](\.[^"']+)["'];?$/gms,
    ))
      importsOf(join(dirname(file), target), seen)
    return seen
  }
  const renderers = [...texts]
    .filter(([, text]) => text.includes('createReconciler') || text.includes('react.transitional'))
    .map(([file]) => file)
  expect(renderers).not.toEqual([])
  const loaders = [...texts.keys()].filter((file) => renderers.some((renderer) => importsOf(file).has(renderer)))
  expect(
    loaders
      .map((file) => relative(dist, file))
      .filter((name) => !/^(tui\/view|chunks\/(chunk|devtools)-\w+)\.js$/.test(name)),
  ).toEqual([])
  expect(importsOf(join(dist, 'tui/view.js')).size).toBeGreaterThan(1)
  expect(texts.get(join(dist, 'cli/program.cjs'))).toContain('module.import("../tui/view.js")')
})

/** Returns the pid of the view, which owns the lock of its data directory because it runs the server. */
function pidOfView(): number {
  return (JSON.parse(readFileSync(join(workspace.cwd, '.psp/lock'), 'utf8')) as { pid: number }).pid
}
