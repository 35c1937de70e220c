import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { describe, expect, it, test } from 'vitest'
import type { State } from '../../src/tui/state/state.ts'
import type { StreamMessage } from '../../src/tui/state/stream-message.ts'
import { createTheme } from '../../src/tui/theme/theme.ts'
import {
  batch,
  COLOURED,
  COLOURLESS,
  keys,
  payment,
  paymentTold,
  payout,
  played,
  start,
  typed,
  withPayments,
} from './fixtures.ts'
import { drawn, open } from './render-frame.tsx'

const plain = (state: State) => stripVTControlCharacters(drawn(state))
const SIZES = [
  [60, 16],
  [80, 24],
  [120, 30],
  [200, 50],
  [250, 80],
] as const

const NASTY = 'Заказ №5 全角 👩‍👩‍👧 \u001b[31mred\u001b[2J\u0007 \u202eevil'

const DELIVERY = {
  id: 'd1',
  event_id: 'evt_1',
  event: 'payment.succeeded',
  object_id: 'p2',
  shop_id: 's',
  url: `http://localhost/${NASTY}`,
  status: 'waiting',
  next_attempt_at: '2026-05-06T12:00:10.000Z',
  attempts_made: 1,
  attempts_total: 9,
} as const

const RECIPIENT = { phone: '+79001234567', bank_id: '100000000998', full_name: 'Иван Петров' }

/** With a delivery that was tried once. */
function tried(columns: number, rows: number): State {
  const at = '2026-05-06T11:59:59.000Z'
  const attempt = { at, ms: 5, status: 503 }
  return played(busy(columns, rows), batch({ kind: 'attempt', at, delivery: DELIVERY, attempt })).state
}

function busy(columns: number, rows: number): State {
  return played(
    withPayments(40, { order_id: NASTY, metadata: { note: NASTY } }, start(columns, rows)),
    batch(
      paymentTold(
        'p40',
        { status: 'succeeded', order_id: NASTY, metadata: { note: NASTY } },
        '2026-05-06T11:59:52.000Z',
      ),
      { kind: 'delivery', at: '2026-05-06T12:00:00.000Z', delivery: DELIVERY },
    ),
  ).state
}

describe.each(SIZES)('%ix%i', (columns, rows) => {
  const views: readonly (readonly [string, State])[] = [
    ['empty', start(columns, rows)],
    ['payments', busy(columns, rows)],
    ['deliveries', played(busy(columns, rows), ...keys('3')).state],
    ['stream', played(busy(columns, rows), ...keys('5')).state],
    ['detail', played(busy(columns, rows), ...keys('enter')).state],
    ['message', played(busy(columns, rows), ...keys('5', 'enter')).state],
    ['help', played(busy(columns, rows), ...keys('?')).state],
    ['form', played(busy(columns, rows), ...keys('n', 'up', 'right', 'up', 'right', 'right', 'enter')).state],
    ['question', played(busy(columns, rows), ...keys('j', 'c')).state],
    ['filter', played(busy(columns, rows), ...keys('/'), ...typed('全角 зак')).state],
  ]

  it.each(views)('%s: every line fits, the last line of the screen stays free', (_name, state) => {
    const lines = plain(state).split('\n')
    expect(lines).toHaveLength(rows - 1)
    const wrong = lines.filter((line) => stringWidth(line.trimEnd()) > columns)
    expect(wrong).toEqual([])
  })

  it.each(views.slice(1, 6))('%s: both edges of the frame are straight', (_name, state) => {
    const framed = plain(state)
      .split('\n')
      .filter((line) => line.startsWith('│') || line.startsWith('╭') || line.startsWith('╰'))
    expect(framed.length).toBeGreaterThan(8)
    expect(new Set(framed.map((line) => stringWidth(line)))).toEqual(new Set([columns]))
  })

  it.each(views)('%s: nothing of a stranger reaches the terminal but text', (_name, state) => {
    const frame = drawn(state, COLOURED)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(frame.replace(/\u001b\[[\d;]*m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(drawn(state)).not.toContain('\u001b[31m')
  })
})

test('below the smallest size it says so in a sentence', () => {
  expect(plain(start(59, 16)).trimEnd().replace(/\s+/g, ' ')).toBe(
    'This terminal is 59x16; psp ui needs 60x16 or more. q ends.',
  )
  expect(plain(start(60, 15))).toContain('needs 60x16')
})

test('a plan in metadata.simulate that is none is told beside the one that holds', () => {
  const slip = { metadata: { mode: 'test', simulate: 'faild' } }
  const frame = plain(played(withPayments(1, slip, start()), ...keys('enter')).state)
  expect(frame).toMatch(/ignored +metadata\.simulate, which is no plan .*\n.* meant +failed /)
})

describe('the payments', () => {
  it('have status with sign and word, age, amount, method and order', () => {
    const text = plain(withPayments(1, { order_id: 'A-1', amount: 123_456_700 }))
    expect(text).toMatch(/▸ ○ pending {5,}10 s +1 234 567\.00 RUB {2}sbp +A-1/)
  })

  it('draw only the rows that fit', () => {
    const text = plain(withPayments(10_000, {}, start(100, 30)))
    expect(text.match(/○ pending {3}/g)).toHaveLength(23)
    expect(text).toContain(' 1 of 10000 ')
  })

  it('say how one goes on where there are none', () => {
    expect(plain(start())).toContain('Reading…')
    const open = played(start(), { type: 'connection', connection: { state: 'open' }, now: 0 }).state
    expect(plain(open)).toContain('n makes one, and so does `psp payments create --amount 100`.')
    expect(plain(played(withPayments(2), ...keys('/'), ...typed('zzz')).state)).toContain('Nothing holds “zzz”.')
  })

  it('tell whether they are followed', () => {
    expect(plain(withPayments(3))).toContain(' following ')
    expect(plain(played(withPayments(3), ...keys('j', 'j')).state)).toContain(' paused, 2 newer: g follows ')
  })
})

test('the detail has timeline, fields, refunds, webhooks, attempts and their bytes', () => {
  const refund = {
    id: 'rf_1',
    payment_id: 'p1',
    merchant_id: 'm',
    amount: 500,
    status: 'succeeded',
    reason: 'брак',
    created_at: '2026-05-06T11:59:58.000Z',
  } as const
  const told = (status: 'processing' | 'succeeded', second: string) =>
    paymentTold('p1', { status, refunds: [refund] }, `2026-05-06T11:59:${second}.000Z`)
  const event = {
    id: 'evt_1',
    event: 'payment.succeeded',
    created_at: '2026-05-06T11:59:53.000Z',
    shop_id: 's',
    object_id: 'p1',
    data: {},
  } as const
  const delivery = {
    id: 'd1',
    event_id: 'evt_1',
    event: 'payment.succeeded',
    object_id: 'p1',
    shop_id: 's',
    url: 'http://localhost:3000/hooks',
    status: 'delivered',
    attempts: [
      {
        number: 1,
        at: '2026-05-06T11:59:53.000Z',
        sent_at: '2026-05-06T11:59:53.000Z',
        ms: 45,
        status: 200,
        request: { headers: { 'x-psp-event-id': 'evt_1' }, body: '{"id":"evt_1"}' },
        response: { headers: { server: 'shop' }, body: 'спасибо' },
      },
    ],
  } as const
  const { state } = played(
    start(120, 60),
    batch(paymentTold('p1'), told('processing', '52'), told('succeeded', '53')),
    {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'p1',
      loaded: { events: [event], deliveries: [delivery], request: undefined },
    },
  )
  const text = plain(played(state, ...keys('enter')).state)
  for (const piece of [
    /Timeline.*○ pending.*◐ processing {2}\+2 s.*✓ succeeded {2}\+1 s.*✓ refund succeeded {2}5\.00 RUB/s,
    /Fields.*order +ord_p1/s,
    /Refunds.*✓ succeeded {2}5\.00 RUB {2}брак {2}rf_1/s,
    /Webhooks.*payment\.succeeded {2}evt_1.*✓ delivered {2}http:\/\/localhost:3000\/hooks/s,
    /#1 .*200 {2}45 ms/s,
    /→ request.*x-psp-event-id: evt_1.*the bytes are one line.*\{\s.*"id": "evt_1"/s,
    /← answer.*server: shop.*спасибо/s,
  ]) {
    expect(text).toMatch(piece)
  }
})

describe('looks', () => {
  it('without colour only bold, dim and reversed are left', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const codes = new Set([...drawn(busy(200, 50)).matchAll(/\u001b\[([\d;]+)m/g)].map(([, code]) => code))
    expect([...codes].every((code) => ['0', '1', '2', '7', '22', '27'].includes(code ?? ''))).toBe(true)
  })

  it("uses the terminal's own palette: no black, no white, no background", () => {
    const codes = new Set(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      [...drawn(busy(200, 50), COLOURED).matchAll(/\u001b\[([\d;]+)m/g)].map(([, code]) => Number(code)),
    )
    expect(codes).toContain(32)
    expect([...codes].filter((code) => code === 30 || code === 37 || code >= 40)).toEqual([])
  })

  it('is ASCII where the terminal has no more', () => {
    const looks = createTheme({ colour: false, unicode: false })
    const { state } = played(withPayments(2, { status: 'succeeded' }, start(120, 30)), ...keys('n'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: everything but ASCII is looked for
    expect(stripVTControlCharacters(drawn(state, looks)).replace(/[‹›←→↑↓…]/g, '')).not.toMatch(/[^\u0000-\u007f]/)
  })
})

test('keys reach the view by their names, also several in one piece', () => {
  const names: string[] = []
  const { stdin, unmount } = open(start(), COLOURLESS, (keys) => names.push(...keys))
  for (const bytes of [
    'j',
    '\u001b[A',
    '\u001b[5~',
    '\r',
    '\t',
    '\u001b[Z',
    'ctrl',
    '\u0003',
    '\u007f',
    '₽5\r\t\u0015',
  ])
    stdin.write(bytes)
  unmount()
  expect(names).toEqual([
    'j',
    'up',
    'page_up',
    'enter',
    'tab',
    'shift+tab',
    'c',
    't',
    'r',
    'l',
    'ctrl+c',
    'backspace',
    '₽',
    '5',
    'enter',
    'tab',
    'ctrl+u',
  ])
})

test('a payment of which only the list is known has a timeline all the same', () => {
  const listed = payment('old', { status: 'failed', finalized_at: '2026-05-06T11:59:59.000Z' })
  const lists = { payments: [listed], payouts: [], deliveries: [], requests: [], lastMessageId: 1 }
  const { state } = played(start(), { type: 'lists', lists }, ...keys('enter'))
  expect(plain(state)).toMatch(/○ pending.*steps between are no longer kept.*✗ failed {2}\+9 s/s)
})

describe('a list', () => {
  it('gives blank columns to the order of the shop, which is cut last', () => {
    const order = 'order-2026-05-06-of-a-long-name-0001'
    expect(plain(withPayments(3, { order_id: order }, start(200, 50)))).toContain(`${order}  `)
  })

  it('of payouts names the bank, and shows nobody in a column', () => {
    const told = (fields: object): StreamMessage => ({
      kind: 'payout',
      at: '2026-05-06T12:00:00.000Z',
      change: 'created',
      status: 'pending',
      payout: payout('o1', fields),
    })
    const seen = (fields: object) => plain(played(start(120, 30), batch(told(fields)), ...keys('2')).state)
    expect(seen({})).toMatch(/phone +bank +│.*\+79001234567 +Т-Банк/s)
    const wide = played(start(200, 50), batch(told({ recipient: RECIPIENT })), ...keys('2')).state
    expect(plain(wide)).toMatch(/bank +name +│.*100000000998 +Иван Петров/s)
  })

  it('of deliveries tells when, of which object, after how many tries, and where to', () => {
    const sent = (columns: number, rows: number) => plain(played(tried(columns, rows), ...keys('3')).state)
    expect(sent(100, 30)).toMatch(/status +time +event +object +answer +to +tries/)
    expect(sent(120, 30)).toMatch(/status +event +object +answer +tries/)
    expect(sent(80, 24)).toMatch(/waiting +11:59:59\.000 +payment\.succeeded +p2 +503 +1\/9 /)
    expect(sent(60, 16)).toMatch(/payment\.succeeded +p2 +503 /)
  })

  it('says at the foot of a narrow screen where the other keys are', () => {
    const foot = (columns: number) =>
      plain(withPayments(3, {}, start(columns, 24)))
        .trimEnd()
        .split('\n')
        .at(-1) ?? ''
    expect(foot(80).trimEnd()).toMatch(/more: \?$/)
    expect(foot(250)).not.toContain('more:')
  })
})
