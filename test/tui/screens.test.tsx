import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import { describe, expect, it, test } from 'vitest'
import type { State } from '../../src/tui/state/state.ts'
import { createTheme } from '../../src/tui/theme/theme.ts'
import type { ControlMessage } from '../../src/view-model/rows/stream-message.ts'
import {
  applyActions,
  COLOUR_THEME,
  createPayment,
  createPayout,
  createState,
  NOW,
  PLAIN_THEME,
  paymentMessage,
  pressKeys,
  receiveMessages,
  stateWithPayments,
  typeText,
} from './fixtures.ts'
import { renderFrame } from './render-frame.tsx'

const renderText = (state: State) => stripVTControlCharacters(renderFrame(state))
/** The layout changes at 16 rows and 120 columns. The last size has space for all columns and rows. */
const SIZES = [
  [60, 16],
  [80, 24],
  [120, 30],
  [250, 50],
] as const

const UNSAFE_TEXT = 'Заказ №5 全角 👩‍👩‍👧 \u001b[31mred\u001b[2J\u0007 \u202eevil'

const DELIVERY = {
  id: 'd1',
  event_id: 'evt_1',
  event: 'payment.succeeded',
  object_id: 'p2',
  shop_id: 's',
  url: `http://localhost/${UNSAFE_TEXT}`,
  status: 'waiting',
  next_attempt_at: '2026-05-06T12:00:10.000Z',
  attempts_made: 1,
  attempts_total: 9,
} as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
const [COLOURS, CONTROLS] = [/\u001b\[[\d;]*m/g, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/]

const RECIPIENT = { phone: '+79001234567', bank_id: '100000000998', full_name: 'Иван Петров' }

/** A state with a delivery after its first attempt. */
function stateWithAttempt(columns: number, rows: number): State {
  const at = '2026-05-06T11:59:59.000Z'
  const attempt = { at, ms: 5, status: 503 }
  return applyActions(
    stateWithUnsafeText(columns, rows),
    receiveMessages({ kind: 'attempt', at, delivery: DELIVERY, attempt }),
  ).state
}

function stateWithUnsafeText(columns: number, rows: number): State {
  return applyActions(
    stateWithPayments(40, { order_id: UNSAFE_TEXT, metadata: { note: UNSAFE_TEXT } }, createState(columns, rows)),
    receiveMessages(
      paymentMessage(
        'p40',
        { status: 'succeeded', order_id: UNSAFE_TEXT, metadata: { note: UNSAFE_TEXT } },
        '2026-05-06T11:59:52.000Z',
      ),
      { kind: 'delivery', at: '2026-05-06T12:00:00.000Z', delivery: DELIVERY },
    ),
  ).state
}

describe.each(SIZES)('a screen of %ix%i', (columns, rows) => {
  const unsafe = stateWithUnsafeText(columns, rows)
  const views: readonly (readonly [string, State])[] = [
    ['an empty list', createState(columns, rows)],
    ['payments', unsafe],
    ['deliveries', applyActions(unsafe, ...pressKeys('3')).state],
    ['stream', applyActions(unsafe, ...pressKeys('5')).state],
    ['detail', applyActions(unsafe, ...pressKeys('enter')).state],
    ['message', applyActions(unsafe, ...pressKeys('5', 'enter')).state],
    ['help', applyActions(unsafe, ...pressKeys('?')).state],
    ['form', applyActions(unsafe, ...pressKeys('n', 'up', 'right', 'up', 'right', 'right', 'enter')).state],
    ['question', applyActions(unsafe, ...pressKeys('j', 'c')).state],
    ['filter', applyActions(unsafe, ...pressKeys('/'), ...typeText('全角 зак')).state],
  ]

  it.each(views)('with %s has no line that is too wide, and leaves the last line unused', (_name, state) => {
    const lines = renderText(state).split('\n')
    expect(lines).toHaveLength(rows - 1)
    const tooWide = lines.filter((line) => stringWidth(line.trimEnd()) > columns)
    expect(tooWide).toEqual([])
  })

  it.each(views.slice(1, 6))('with %s has a frame with straight edges', (_name, state) => {
    const framed = renderText(state)
      .split('\n')
      .filter((line) => line.startsWith('│') || line.startsWith('╭') || line.startsWith('╰'))
    expect(framed.length).toBeGreaterThan(8)
    expect(new Set(framed.map((line) => stringWidth(line)))).toEqual(new Set([columns]))
  })

  // The size does not change the colours, so one size is enough for their theme.
  const themes = columns === 80 ? [PLAIN_THEME, COLOUR_THEME] : [PLAIN_THEME]

  it.each(views)('with %s shows no escape sequence of merchants', (_name, state) => {
    for (const theme of themes) {
      const frame = renderFrame(state, theme)
      expect(frame.replace(COLOURS, '')).not.toMatch(CONTROLS)
      if (theme === PLAIN_THEME) expect(frame).not.toContain('\u001b[31m')
    }
  })
})

test('a terminal below the smallest size shows only a message', () => {
  expect(renderText(createState(39, 8)).trimEnd().replace(/\s+/g, ' ')).toBe(
    'This terminal is 39x8; psp ui needs at least 40x8. Press q to quit.',
  )
  expect(renderText(createState(40, 7))).toMatch(/needs\s+at\s+least\s+40x8/)
})

test('the detail shows an invalid metadata.simulate and the plan that was probably intended', () => {
  const invalidPlan = { metadata: { mode: 'test', simulate: 'faild' } }
  const frame = renderText(applyActions(stateWithPayments(1, invalidPlan, createState()), ...pressKeys('enter')).state)
  expect(frame).toMatch(/ignored +metadata\.simulate, which is not a plan .*\n.* suggested +failed /)
})

describe('the list of payments', () => {
  it('shows status with symbol, age, amount, method and order', () => {
    const text = renderText(stateWithPayments(1, { order_id: 'A-1', amount: 123_456_700 }))
    expect(text).toMatch(/▸ ○ pending {5,}10 s +1 234 567\.00 RUB {2}sbp +A-1/)
  })

  it('renders only the rows that fit', () => {
    const text = renderText(stateWithPayments(10_000, {}, createState(100, 30)))
    expect(text.match(/○ pending {3}/g)).toHaveLength(23)
    expect(text).toContain(' 1 of 10000 ')
  })

  it('shows the next step if it is empty', () => {
    expect(renderText(createState())).toContain('Loading')
    const open = applyActions(createState(), { type: 'connection', connection: { state: 'open' }, now: 0 }).state
    expect(renderText(open)).toContain('Press n to create one, or run `psp payments create --amount 100`.')
    expect(renderText(applyActions(stateWithPayments(2), ...pressKeys('/'), ...typeText('zzz')).state)).toContain(
      'No row matches “zzz”.',
    )
  })

  it('says that rows are loading until its list has been read, also after a reset', () => {
    const open = applyActions(createState(), { type: 'connection', connection: { state: 'open' }, now: 0 }).state
    const loading = renderText({ ...open, rowsRead: { payments: 0 } })
    expect(loading).toContain('   Loading')
    expect(loading).not.toMatch(/No payments yet|0 of 0/)
  })

  it('shows whether new rows are followed', () => {
    expect(renderText(stateWithPayments(3))).toContain(' following ')
    expect(renderText(applyActions(stateWithPayments(3), ...pressKeys('j', 'j')).state)).toContain(
      ' paused, 2 newer: g follows ',
    )
  })
})

test('the detail shows timeline, fields, refunds, webhooks, and attempts with their bodies', () => {
  const refund = {
    id: 'rf_1',
    payment_id: 'p1',
    merchant_id: 'm',
    amount: 500,
    status: 'succeeded',
    reason: 'брак',
    created_at: '2026-05-06T11:59:58.000Z',
  } as const
  const message = (status: 'processing' | 'succeeded', second: string) =>
    paymentMessage('p1', { status, refunds: [refund] }, `2026-05-06T11:59:${second}.000Z`)
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
        response: { headers: { server: 'shop' }, body: 'спасибо', note: 'The body is shown as received.' },
      },
    ],
  } as const
  const { state } = applyActions(
    createState(120, 60),
    receiveMessages(paymentMessage('p1'), message('processing', '52'), message('succeeded', '53')),
    {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'p1',
      loaded: { events: [event], deliveries: [delivery], request: undefined },
    },
  )
  const text = renderText(applyActions(state, ...pressKeys('enter')).state)
  for (const piece of [
    /Timeline.*○ pending.*◐ processing {2}\+2 s.*✓ succeeded {2}\+1 s.*✓ refund succeeded {2}5\.00 RUB/s,
    /Fields.*order +ord_p1/s,
    /Refunds.*✓ succeeded {2}5\.00 RUB {2}брак {2}rf_1/s,
    /Webhooks.*payment\.succeeded {2}evt_1.*✓ delivered {2}http:\/\/localhost:3000\/hooks/s,
    /#1 .*200 {2}45 ms/s,
    /→ request.*x-psp-event-id: evt_1.*the bytes are one line.*\{\s.*"id": "evt_1"/s,
    /← response.*server: shop.*спасибо.*The body is shown as received\./s,
  ]) {
    expect(text).toMatch(piece)
  }
})

describe('the theme', () => {
  it('uses only bold, dim and inverse text without colour', () => {
    const frame = renderFrame(stateWithUnsafeText(200, 50))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
    const codes = new Set([...frame.matchAll(/\u001b\[([\d;]+)m/g)].map(([, code]) => code))
    expect([...codes].sort()).toEqual(['1', '2', '22', '27', '7'])
  })

  it('uses no black, no white and no background colours', () => {
    const codes = new Set(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
      [...renderFrame(stateWithUnsafeText(200, 50), COLOUR_THEME).matchAll(/\u001b\[([\d;]+)m/g)].map(([, code]) =>
        Number(code),
      ),
    )
    expect(codes).toContain(32)
    expect([...codes].filter((code) => code === 30 || code === 37 || code >= 40)).toEqual([])
  })

  it('uses only ASCII without Unicode', () => {
    const theme = createTheme({ colour: false, unicode: false })
    const { state } = applyActions(
      stateWithPayments(2, { status: 'succeeded' }, createState(120, 30)),
      ...pressKeys('n'),
    )
    const text = stripVTControlCharacters(renderFrame(state, theme)).replace(/[‹›←→↑↓…]/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for everything except ASCII
    expect(text).not.toMatch(/[^\u0000-\u007f]/)
  })
})

describe('the timeline of a payment that only the list contains', () => {
  const listed = createPayment('old', { status: 'failed', finalized_at: '2026-05-06T11:59:59.000Z' })
  const lists = { payments: [listed], payouts: [], deliveries: [], requests: [], lastMessageId: 0 }
  const open = (lastMessageId: number) =>
    applyActions(createState(), { type: 'lists', lists: { ...lists, lastMessageId } }, ...pressKeys('enter')).state
  const NO_LONGER = /○ pending.*steps between these are no longer available.*✗ failed {2}\+9 s/s

  it('shows that steps are loading until the old messages of the stream were received', () => {
    expect(renderText(open(1e9))).toMatch(/○ pending.*loading steps between these.*✗ failed {2}\+9 s/s)
    expect(renderText(open(0))).toMatch(NO_LONGER)
  })

  it('stops showing it some time after the stream opened, because a message may be unknown', () => {
    const connected = applyActions(
      open(1e9),
      { type: 'connection', connection: { state: 'open' }, now: NOW },
      { type: 'tick', now: NOW + 2000 },
    ).state
    expect(renderText(connected)).toMatch(NO_LONGER)
  })
})

describe('a list', () => {
  it('gives unused width to the order id of the shop', () => {
    const order = 'order-2026-05-06-of-a-long-name-0001'
    expect(renderText(stateWithPayments(3, { order_id: order }, createState(200, 50)))).toContain(`${order}  `)
  })

  it('shows the bank of payouts, and omits an empty column of names', () => {
    const message = (fields: object): ControlMessage => ({
      kind: 'payout',
      at: '2026-05-06T12:00:00.000Z',
      change: 'created',
      status: 'pending',
      payout: createPayout('o1', fields),
    })
    const render = (fields: object) =>
      renderText(applyActions(createState(120, 30), receiveMessages(message(fields)), ...pressKeys('2')).state)
    expect(render({})).toMatch(/phone +bank +│.*\+79001234567 +Т-Банк/s)
    const wide = applyActions(
      createState(200, 50),
      receiveMessages(message({ recipient: RECIPIENT })),
      ...pressKeys('2'),
    ).state
    expect(renderText(wide)).toMatch(/bank +name +│.*100000000998 +Иван Петров/s)
  })

  it('shows time, object, result, attempts and URL of deliveries', () => {
    const render = (columns: number, rows: number) =>
      renderText(applyActions(stateWithAttempt(columns, rows), ...pressKeys('3')).state)
    expect(render(100, 30)).toMatch(/status +time +event +object +result +to +tries/)
    expect(render(120, 30)).toMatch(/status +event +object +result +tries/)
    expect(render(80, 24)).toMatch(/waiting +11:59:59\.000 +payment\.succeeded +p2 +503 +1\/9 /)
    expect(render(60, 16)).toMatch(/payment\.succeeded +p2 +503 /)
  })
})

test('the footer of a narrow screen shows the key for the help', () => {
  const footer = (columns: number) =>
    renderText(stateWithPayments(3, {}, createState(columns, 24)))
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  expect(footer(80).trimEnd()).toMatch(/more: \?$/)
  expect(footer(250)).not.toContain('more:')
})
