// The parts of a frame that depend on the size, the order of rows and a notice.
import { stripVTControlCharacters } from 'node:util'
import { Chalk } from 'chalk'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { KEY_TABLE } from '../../src/tui/keys/key-table.ts'
import { helpScrollLimit } from '../../src/tui/panes/help.ts'
import type { State } from '../../src/tui/state/state.ts'
import { createTheme } from '../../src/tui/theme/theme.ts'
import {
  applyActions,
  COLOUR_THEME,
  createState,
  NOW,
  paymentMessage,
  pressKeys,
  receiveMessages,
  stateWithPayments,
} from './fixtures.ts'
import { renderFrame } from './render-frame.tsx'

const linesOf = (state: State) => stripVTControlCharacters(renderFrame(state)).split('\n')

describe('a notice', () => {
  const withNotice = (columns: number, rows: number) =>
    applyActions(stateWithPayments(1, { status: 'failed' }, createState(columns, rows)), ...pressKeys('p')).state

  it.each([
    [80, 24],
    [140, 40],
    [40, 12],
  ])('is shown next to the keys on %i columns and %i rows', (columns, rows) => {
    const lines = linesOf(withNotice(columns, rows))
    expect(lines.join('\n')).toContain('The payment is already failed')
    expect(lines.at(-1)).toMatch(/^ \? help {3}q quit/)
    expect(lines.every((line) => stringWidth(line) <= columns)).toBe(true)
  })

  it('with a text that is too long for the lower edge is shown completely on several lines', () => {
    const text = 'The signature is valid and its time is within the tolerance, but the body was sent 12 minutes ago.'
    const { state } = applyActions(stateWithPayments(30, {}, createState(60, 24)), { type: 'notice', text, now: NOW })
    const lines = linesOf(state)
    expect(lines.join(' ').replace(/[─│╰╯\s]+/g, ' ')).toContain(text)
    expect(new Set(lines.slice(2, -1).map((line) => stringWidth(line)))).toEqual(new Set([60]))
  })

  it('about an error disappears when the lost connection is open again', () => {
    const failed = applyActions(
      createState(),
      { type: 'connection', connection: { state: 'lost', reason: 'refused' }, now: NOW },
      { type: 'call_failed', text: 'Nothing listens there.', now: NOW },
    ).state
    expect(failed.notice?.text).toBe('Nothing listens there.')
    const { state } = applyActions(failed, { type: 'connection', connection: { state: 'open' }, now: NOW })
    expect(state.notice).toBeUndefined()
  })
})

it('the busy mark disappears after each call', () => {
  const called = applyActions(stateWithPayments(1), ...pressKeys('f')).state
  expect(called.pendingCalls).toBe(1)
  expect(applyActions(called, { type: 'call_done', text: 'Frozen.', now: NOW }).state.pendingCalls).toBe(0)
  expect(applyActions(called, { type: 'call_failed', text: 'No.', now: NOW }).state.pendingCalls).toBe(0)
})

describe('the names of the panes', () => {
  it.each([
    [60, '1 Payments  2 Payo  3 Deli  4 Requ  5 Stre '],
    [80, ' 1 Payments  2 Payouts  3 Deliveries  4 Requests  5 Stream '],
    [120, ' 1 Payments  2 Payouts  3 Deliveries  4 Requests  5 Stream '],
    [40, ' 1 Payments  2  3  4  5 '],
  ])('are as long as fits on %i columns', (columns, text) => {
    expect(linesOf(stateWithPayments(1, {}, createState(columns, 24)))[2]).toContain(text)
  })
})

describe('a terminal with fewer than 16 rows', () => {
  it.each([
    [40, 8],
    [40, 12],
    [80, 10],
    [130, 15],
  ])('shows a compact screen of %i columns and %i rows', (columns, rows) => {
    const list = stateWithPayments(20, {}, createState(columns, rows))
    const states = [list, ...['enter', '?', 'n', 'd', '/'].map((key) => applyActions(list, ...pressKeys(key)).state)]
    for (const state of states) {
      const lines = linesOf(state)
      expect(lines).toHaveLength(rows - 1)
      expect(lines.every((line) => stringWidth(line) <= columns)).toBe(true)
      expect(lines.at(-1)?.trim()).not.toBe('')
    }
    const open = applyActions(list, { type: 'connection', connection: { state: 'open' }, now: NOW }).state
    expect(linesOf(open)[0]).toMatch(/^ psp {2}!0 20/)
    expect(linesOf(list).filter((line) => line.includes('pending'))).not.toHaveLength(0)
  })
})

it('a list without room for its widest column omits it', () => {
  const payouts = applyActions(createState(40, 12), ...pressKeys('2')).state
  expect(linesOf(payouts)[2]).toMatch(/^ {2}status +amount +phone +$/)
})

it.each([
  [40, 830_181, '8 301.81 RUB'],
  [60, Number.MAX_SAFE_INTEGER, '90 071 992 547 409.91 RUB'],
])('a list in %i columns shows the amount %i with its currency', (columns, amount, shown) => {
  const state = stateWithPayments(1, { amount }, createState(columns, 12))
  expect(linesOf(state).join('\n')).toContain(` ${shown}  ord_p1`)
})

it.each([
  [100, 20],
  [200, 20],
])('the help of a screen of %i columns and %i rows scrolls until its last line, and no further', (columns, rows) => {
  const limit = helpScrollLimit({ size: { columns, rows } })
  const help = (scroll: number) =>
    linesOf({ ...createState(columns, rows), overlay: { kind: 'help', scroll } }).filter((line) => line.startsWith('│'))
  const whole = linesOf({ ...createState(columns, 130), overlay: { kind: 'help', scroll: 0 } })
  const shown = new Set(Array.from({ length: limit + 1 }, (_, scroll) => help(scroll)).flat())
  const missing = whole.filter((line) => line.startsWith('│') && /\w/.test(line) && !shown.has(line))
  expect(limit).toBeGreaterThan(0)
  expect(missing).toEqual([])
  // The last group ends with an empty line.
  expect(help(limit).at(-2)).toMatch(/\w/)
})

it('a warning is shown for 4 s', () => {
  const { state } = applyActions(createState(), ...pressKeys('p'))
  const noticeAt = (ms: number) => applyActions(state, { type: 'tick', now: NOW + ms }).state.notice
  expect(state.notice).toMatchObject({ style: 'warning' })
  expect([noticeAt(3999), noticeAt(4000)]).toEqual([state.notice, undefined])
})

it.each([40, 80, 120, 200])('the help shows every description completely in %i columns', (columns) => {
  const help = linesOf(applyActions(createState(columns, 130), ...pressKeys('?')).state)
  expect(help.join('\n')).not.toContain('…')
  const words = help.join(' ').split(/[^\p{L}]+/u)
  for (const { description } of Object.values(KEY_TABLE)) {
    for (const word of description.split(/[^\p{L}]+/u)) expect(words).toContain(word)
  }
})

describe('the order of rows', () => {
  it('by amount groups the currencies, and the title of the column has an arrow', () => {
    const { state } = applyActions(
      createState(100, 24),
      receiveMessages(
        paymentMessage('a', { amount: 900_000, currency: 'KZT' }),
        paymentMessage('b', { amount: 500_000, currency: 'RUB' }),
        paymentMessage('c', { amount: 100_000, currency: 'KZT' }),
        paymentMessage('d', { amount: 700_000, currency: 'RUB' }),
      ),
      ...pressKeys('s', 's'),
    )
    const lines = linesOf(state)
    const amounts = lines.flatMap((line) => /[\d ]+\.00 [A-Z]{3}/.exec(line)?.[0].trim() ?? [])
    expect(amounts).toEqual(['9 000.00 KZT', '1 000.00 KZT', '7 000.00 RUB', '5 000.00 RUB'])
    expect(lines[3]).toMatch(/ amount ↓ /)
    expect(lines[2]).toMatch(/ by amount ↓ /)
  })

  it('is that of the last attempts for deliveries, after those without an attempt', () => {
    const delivery = (id: string, at?: string) => ({
      kind: 'attempt' as const,
      at: '2026-05-06T12:00:00.000Z',
      delivery: {
        id,
        event_id: `evt_${id}`,
        event: 'payment.succeeded' as const,
        object_id: 'p1',
        shop_id: 's',
        url: 'http://x/',
        status: 'waiting' as const,
        attempts_made: at === undefined ? 0 : 1,
        attempts_total: 9,
      },
      ...(at === undefined ? {} : { attempt: { at, ms: 5, status: 500 } }),
    })
    const { state } = applyActions(
      createState(100, 24),
      receiveMessages(
        delivery('a', '2026-05-06T11:00:00.000Z'),
        delivery('b', '2026-05-06T11:00:10.000Z'),
        delivery('c'),
      ),
      receiveMessages(delivery('a', '2026-05-06T11:00:20.000Z')),
      ...pressKeys('3'),
    )
    const times = linesOf(state).flatMap((line) => /11:00:\d\d/.exec(line)?.[0] ?? [])
    expect(times).toEqual(['11:00:20', '11:00:10'])
    expect(linesOf(state)[4]).not.toMatch(/11:00/)
  })
})

it('the selected row keeps the colour of its status', () => {
  const chalk = new Chalk({ level: 1 })
  const frame = renderFrame(stateWithPayments(1, { status: 'failed' }), COLOUR_THEME)
  const row = frame.split('\n').find((line) => line.includes('ord_p1')) ?? ''
  const [red] = chalk.red('|').split('|')
  const [inverse] = chalk.inverse('|').split('|')
  expect(row).toContain(`${red}✗ failed`)
  expect(row.indexOf(inverse ?? '')).toBeLessThan(row.indexOf(red ?? ''))
})

it('a locale without UTF-8 gets ASCII only, at every size and in every overlay', () => {
  const theme = createTheme({ colour: false, unicode: false })
  for (const [columns, rows] of [
    [60, 16],
    [120, 40],
    [40, 10],
  ] as const) {
    const list = stateWithPayments(3, { order_id: 'a-very-long-order-'.repeat(9) }, createState(columns, rows))
    const keys = [[], ['enter'], ['?'], ['n'], ['d'], ['d', 'z'], ['c'], ['/', 'z'], ['s'], ['f'], ['2'], ['3'], ['R']]
    for (const pressed of keys) {
      const text = renderFrame(applyActions(list, ...pressKeys(...pressed)).state, theme)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for everything except ASCII
      expect(stripVTControlCharacters(text)).not.toMatch(/[^\u0000-\u007f]/)
    }
  }
})
