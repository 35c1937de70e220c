// The state of webhooks in lists, the detail as an inspector, marks, the palette and the mouse.
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AttemptView, DeliveryView, EventView } from '../../src/client/control-types.ts'
import type { Input } from '../../src/tui/keys/input-parser.ts'
import { paletteItems } from '../../src/tui/keys/palette.ts'
import { editableText } from '../../src/tui/state/edited-body.ts'
import type { State } from '../../src/tui/state/state.ts'
import { selectedRow } from '../../src/view-model/rows/visible-rows.ts'
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
const textOf = (state: State) => linesOf(state).join('\n')
const press = (state: State, ...names: readonly string[]) => applyActions(state, ...pressKeys(...names))
const input = (...keys: readonly Input[]) => ({ type: 'keys', keys, now: NOW }) as const
const calls = (effects: readonly { do: string }[]) => effects.filter((effect) => effect.do !== 'load')

const FIELDS = {
  id: 'd1',
  event_id: 'evt_1',
  event: 'payment.succeeded',
  object_id: 'p1',
  shop_id: 's',
  url: 'http://x/hooks',
  attempts_made: 2,
  attempts_total: 9,
} as const

const failing = (at = '2026-05-06T12:00:00.000Z') =>
  receiveMessages({
    kind: 'attempt',
    at,
    delivery: { ...FIELDS, status: 'waiting', next_attempt_at: '2026-05-06T12:00:09.000Z' },
    attempt: { at, ms: 5, status: 500 },
  })

const attempt = (number: number, status: number): AttemptView => ({
  number,
  at: `2026-05-06T12:00:0${number}.000Z`,
  sent_at: '2026-05-06T12:00:00.000Z',
  ms: 5,
  status,
  request: {
    headers: [['X-PSP-Signature', `t=${number}`]],
    body: JSON.stringify({ id: 'evt_1', data: { payment: { order: 'Заказ', amount: 1500 } }, list: [1, 2] }),
  },
  response: { headers: [], body: 'no' },
})

const DELIVERY = { ...FIELDS, status: 'waiting', attempts: [attempt(1, 500), attempt(2, 500)] } as DeliveryView
const EVENT = { id: 'evt_1', event: 'payment.succeeded', created_at: '2026-05-06T12:00:00.000Z' } as EventView

/** A state with a payment whose detail was loaded. */
const WITHOUT_WEBHOOKS = applyActions(stateWithPayments(1), {
  type: 'detail_loaded',
  pane: 'payments',
  id: 'p1',
  loaded: { events: [], deliveries: [], request: undefined },
}).state

/** A state with a succeeded payment whose webhook fails, after its detail was loaded. */
function stateWithFailure(columns = 100, rows = 20, ...keys: readonly string[]): State {
  return applyActions(
    stateWithPayments(2, { status: 'succeeded' }, createState(columns, rows)),
    { type: 'connection', connection: { state: 'open' }, now: NOW },
    failing(),
    ...pressKeys('j', ...keys),
    {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'p1',
      loaded: { events: [EVENT], deliveries: [DELIVERY], request: undefined },
    },
  ).state
}

describe('a failing webhook', () => {
  it('is shown in the row of its payment, and the time until the next attempt counts down', () => {
    const state = stateWithFailure()
    expect(textOf(state)).toMatch(/✓ succeeded .* ✗ 500, retry in 9 s .*ord_p1/)
    const later = applyActions(state, { type: 'tick', now: NOW + 4000 }).state
    expect(textOf(later)).toMatch(/✗ 500, retry in 5 s/)
  })

  it.each([80, 100, 120, 160, 200])(
    'shows the time until the next attempt and the start of the order on %i columns, also next to a large amount',
    (columns) => {
      const large = stateWithPayments(
        2,
        { status: 'succeeded', amount: 99_999_999_999, order_id: 'ord_1795_large' },
        createState(columns, 24),
      )
      expect(textOf(applyActions(large, failing()).state)).toMatch(/✗ 500.* 9 s .*ord_1795_/)
    },
  )

  it.each([40, 60, 80, 100, 140])('is counted in the header on %i columns', (columns) => {
    expect(linesOf(stateWithFailure(columns, 24))[0]).toMatch(/!1 |1 failing {2}|1 failing webhook /)
    expect(linesOf(stateWithFailure(columns, 12))[0]).toMatch(/!1/)
    expect(linesOf(createState(columns, 24))[0]).toMatch(/!0 |0 failing {2}|0 failing webhooks/)
  })

  it('is selected by the key !, which filters the deliveries', () => {
    const { state } = press(stateWithFailure(), '!')
    expect([state.pane, state.listViews.deliveries.filter, selectedRow(state)?.id]).toEqual([
      'deliveries',
      'failing=yes',
      'd1',
    ])
  })

  it('is opened at its last failed attempt, also if the attempts are loaded later', () => {
    const opened = stateWithFailure(100, 20, 'enter')
    expect(textOf(opened)).toMatch(/#2 {2}12:00:02/)
    expect(textOf(opened)).not.toMatch(/Timeline/)
    const loadedBefore = press(stateWithFailure(), 'enter').state
    expect(textOf(loadedBefore)).toMatch(/#2 {2}12:00:02/)
  })

  it('with a long error leaves room for the order on every width, and shows the whole error in the detail, without breaking its words', () => {
    const error = 'Connection refused: nothing listens on 127.0.0.1:9. Is your server running?'
    const at = '2026-05-06T12:00:00.000Z'
    const refused = receiveMessages({
      kind: 'attempt',
      at,
      delivery: { ...FIELDS, status: 'waiting', next_attempt_at: '2026-05-06T12:00:09.000Z' },
      attempt: { at, ms: 5, error },
    })
    const { response, ...sent } = attempt(1, 500)
    const attempts = [
      { ...sent, status: null, error },
      { ...sent, number: 2, status: null, error },
    ]
    const loaded = { events: [EVENT], deliveries: [{ ...DELIVERY, attempts }], request: undefined }
    for (const columns of [60, 80, 100, 120, 140]) {
      const listed = applyActions(stateWithFailure(columns, 24), refused).state
      expect(textOf(listed)).toMatch(/ord_p1/)
      const { state } = applyActions(listed, ...pressKeys('enter'), {
        type: 'detail_loaded',
        pane: 'payments',
        id: 'p1',
        loaded,
      })
      const shown = linesOf(state).map((line) => line.slice(line.lastIndexOf('││') + 1).replaceAll('│', ' '))
      expect(shown.join(' ').replace(/\s+/g, ' ')).toContain(error)
    }
  })

  it('is opened without the end of the attempt before it', () => {
    expect(linesOf(stateWithFailure(100, 20, 'enter'))[3]).toMatch(/^│ {3}#2 {2}12:00:02/)
  })

  it('is only looked for if it still fails', () => {
    const state = stateWithFailure()
    const delivered = receiveMessages({
      kind: 'attempt',
      at: '2026-05-06T12:00:03.000Z',
      delivery: { ...FIELDS, status: 'delivered' },
      attempt: { at: '2026-05-06T12:00:03.000Z', ms: 5, status: 200 },
    })
    expect(textOf(applyActions(state, delivered, ...pressKeys('enter')).state)).toMatch(/Timeline/)
  })

  it('is attempted again by R, instead of the newest delivery', () => {
    expect(calls(press(stateWithFailure(), 'R').effects)).toEqual([{ do: 'retry', delivery_id: 'd1' }])
    expect(calls(press(stateWithFailure(100, 20, 'enter'), 'R').effects)).toEqual([{ do: 'retry', delivery_id: 'd1' }])
  })

  it('is sent to another URL by e', () => {
    const form = press(stateWithFailure(), 'e').state
    expect(form.overlay).toMatchObject({ form: { title: 'Send payment.succeeded again: same bytes' } })
    const { effects } = applyActions(
      press(form, 'ctrl+u').state,
      input({ text: 'http://localhost:4000/new' }),
      ...pressKeys('enter'),
    )
    expect(calls(effects)).toEqual([
      { do: 'replay', event_id: 'evt_1', url: 'http://localhost:4000/new', same_timestamp: false },
    ])
  })
})

describe('the detail', () => {
  const opened = stateWithFailure(100, 24, 'enter')

  it('colours keys, texts and numbers of JSON', () => {
    const frame = renderFrame(opened, COLOUR_THEME)
    expect(frame).toContain('\u001b[36m"amount"\u001b[39m: \u001b[33m1500\u001b[39m')
    expect(frame).toContain('\u001b[32m"Заказ"\u001b[39m')
  })

  it('folds nested values of JSON into one line', () => {
    expect(textOf(press(opened, 'z', 'G').state)).toMatch(/"data": \{ payment \}[\s\S]*"list": \[ … 2 \]/)
  })

  it('folds and unfolds the JSON value that ] and [ reach, and keeps it folded when it is loaded again', () => {
    const lines = (state: State) => linesOf(state).map((line) => line.replace(/^│ | +│$/g, ''))
    const reached = press(opened, 'g', ']', ']').state
    expect(lines(press(reached, 'enter').state)).toContain('    ▸ "data": { payment },')
    const unfolded = press(reached, 'enter', 'enter').state
    expect(lines(unfolded)).toContain('    ▾ "data": {')
    expect(lines(press(reached, '[', 'enter').state)).toContain('  ▸ { id, data, list }')
    const again = applyActions(press(reached, 'enter').state, {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'p1',
      loaded: { events: [EVENT], deliveries: [{ ...DELIVERY }], request: undefined },
    }).state
    expect(lines(again)).toContain('    ▸ "data": { payment },')
    expect(lines(press(again, 'z', 'z', 'g', ']').state)).toContain('    ▾ "data": {')
    expect(renderFrame(reached, COLOUR_THEME)).toContain('\u001b[7m▾ \u001b[27m')
  })

  it('unfolds one value after z folded all of them', () => {
    const state = press(opened, 'z', 'g', ']', ']', 'enter').state
    expect(textOf(state)).toMatch(/▾ "data": \{\s*│\n│\s+▸ "payment": \{ order, amount \}[\s\S]*▸ "list": \[ … 2 \]/)
  })

  it('folds the first value on the screen by Enter if no value is current', () => {
    const scrolled = press(opened, 'G', 'k', 'k', 'k', 'k', 'k', 'k', 'k', 'enter').state
    expect(textOf(scrolled)).toMatch(/▸ /)
    expect(press(createState(100, 24), 'enter').state.folding.toggled.size).toBe(0)
  })

  it('folds a value by a click on its line', () => {
    const shown = press(opened, 'g', ']').state
    const row = linesOf(shown).findIndex((line) => line.includes('▾ "data": {'))
    const click = (on: number) => applyActions(shown, input({ mouse: 'press', column: 9, row: on })).state
    expect(linesOf(click(row))[row]).toContain('▸ "data": { payment },')
    for (const on of [row - 1, 2, 23]) expect(click(on).folding.toggled).toEqual(new Set())
  })

  it('unfolds everything if a searched text is inside a folded value', () => {
    const folded = press(opened, 'z', 'g', '/').state
    const found = applyActions(folded, input({ text: 'Заказ' })).state
    expect(textOf(found)).toContain('"order": "Заказ"')
  })

  it('is searched by /, and n and N go to the next and the previous match', () => {
    const found = applyActions(opened, ...pressKeys('g', '/'), input({ text: 'x-psp-sig' })).state
    const at = (state: State) => state.detailScroll
    const kept = press(found, 'enter').state
    expect(at(kept)).toBeGreaterThan(0)
    const next = press(kept, 'n').state
    expect([next.overlay, at(next) > at(kept)]).toEqual([undefined, true])
    expect(at(press(next, 'N').state)).toBe(at(kept))
    expect(press(next, 'escape').state).toMatchObject({ find: '', focus: 'detail' })
    expect(renderFrame(kept, COLOUR_THEME)).toContain('\u001b[7mX-PSP-Sig\u001b[27m')
  })

  it('shows the number of the match while it is searched, and that there is none', () => {
    const keyLine = (state: State) => linesOf(state).at(-1)
    const found = applyActions(opened, ...pressKeys('g', '/'), input({ text: 'x-psp-sig' })).state
    expect(keyLine(found)).toMatch(/^ 1 of 2 {3}Enter keep/)
    const kept = press(found, 'enter').state
    expect(keyLine(kept)).toMatch(/^ 1 of 2 {3}n next {3}N previous {3}Esc end {3}/)
    expect(keyLine(press(kept, 'n').state)).toMatch(/^ 2 of 2 {3}/)
    expect(keyLine(press(kept, 'down').state)).toMatch(/^ 2 matches {3}/)
    expect(keyLine(applyActions(found, input({ text: 'zz' })).state)).toMatch(/^ no match {3}Enter keep/)
    expect(keyLine(press(kept, 'escape').state)).toMatch(/^ \? help/)
  })

  it('compares the last two attempts, and Esc shows the detail again', () => {
    const compared = press(opened, '=').state
    expect(textOf(compared)).toMatch(/Attempts 1 and 2 of payment\.succeeded/)
    expect(textOf(compared)).toMatch(/- x-psp-signature {2}t=1[\s\S]*\+ x-psp-signature {2}t=2/)
    expect(textOf(press(compared, 'escape').state)).toMatch(/Timeline/)
    expect(press(WITHOUT_WEBHOOKS, '=').state.notice?.text).toMatch(/two attempts/)
  })

  it('verifies the signature of the newest attempt by v', () => {
    expect(calls(press(opened, 'v').effects)).toEqual([{ do: 'verify', delivery_id: 'd1' }])
    expect(press(WITHOUT_WEBHOOKS, 'v').state.notice?.text).toMatch(/no signature/)
  })

  it('is copied as a curl command or as a psp verify command through the palette', () => {
    const { effects } = press(opened, 'Y', 'enter')
    expect(effects).toMatchObject([{ do: 'copy', text: expect.stringMatching(/^curl -X POST http:\/\/x\/hooks/) }])
    expect(
      calls(applyActions(opened, ...pressKeys('Y'), input({ text: 'verify' }), ...pressKeys('enter')).effects),
    ).toEqual([{ do: 'copy', text: 'psp verify --delivery d1 --explain', what: 'a psp verify command' }])
  })
})

describe('the edited body of a webhook', () => {
  const opened = stateWithFailure(100, 24, 'enter')
  const edit = press(opened, 'E').effects.find((effect) => effect.do === 'edit_body')
  const saved = (result: { text: string } | { problem: string }) => {
    if (edit === undefined) throw new Error('no editor was opened')
    return applyActions(opened, { type: 'edited', edit, result, now: NOW })
  }

  it('is that of the newest attempt, indented for the editor', () => {
    expect(edit).toMatchObject({ event_id: 'evt_1', event: 'payment.succeeded', url: 'http://x/hooks' })
    expect(edit && editableText(edit.body)).toMatch(/^\{\n {2}"id": "evt_1",\n[\s\S]*\n\}\n$/)
  })

  it('is sent after a question, on one line as the original was', () => {
    const text = editableText(edit?.body ?? '').replace('1500', '1.0')
    const { state } = saved({ text })
    expect(state.overlay).toMatchObject({
      question: 'Send the edited body of payment.succeeded to http://x/hooks?',
    })
    expect(calls(press(state, 'enter').effects)).toEqual([
      { do: 'replay', event_id: 'evt_1', url: 'http://x/hooks', body: edit?.body.replace('1500', '1.0') },
    ])
    expect(press(state, 'escape').effects).toEqual([])
  })

  it('is sent as it was written if it is not JSON, and the question says so', () => {
    const { state } = saved({ text: '{"id": \n' })
    expect(state.overlay).toMatchObject({ question: expect.stringMatching(/It is not valid JSON\.$/) })
    expect(calls(press(state, 'enter').effects)).toMatchObject([{ body: '{"id": ' }])
  })

  it.each([
    [{ text: editableText(edit?.body ?? '') }, 'The body was not changed, so nothing was sent.'],
    [{ text: ' \n' }, 'The file was empty, so nothing was sent.'],
    [{ text: 'x'.repeat(65_537) }, 'The body is longer than 65536 characters, so nothing was sent.'],
    [{ problem: 'vi exited with 1.' }, 'vi exited with 1.'],
  ])('is not sent after %.60j', (result, notice) => {
    const { state, effects } = saved(result)
    expect([state.overlay, effects, state.notice?.text]).toEqual([undefined, [], notice])
  })

  it('goes to the endpoint of the delivery, which signs it with its secret', () => {
    const delivery = { ...DELIVERY, endpoint_id: 'we_1' }
    const loaded = { events: [EVENT], deliveries: [delivery], request: undefined }
    const { state } = applyActions(opened, { type: 'detail_loaded', pane: 'payments', id: 'p1', loaded })
    const [found] = press(state, 'E').effects
    if (found?.do !== 'edit_body') throw new Error('no editor was opened')
    const asked = applyActions(state, { type: 'edited', edit: found, result: { text: '{}' }, now: NOW }).state
    expect(calls(press(asked, 'enter').effects)).toEqual([
      { do: 'replay', event_id: 'evt_1', endpoint_id: 'we_1', body: '{}' },
    ])
  })

  it('needs an attempt with a text', () => {
    expect(press(WITHOUT_WEBHOOKS, 'E').state.notice?.text).toMatch(/no webhook that was sent/)
    const binary = { ...DELIVERY, attempts: [{ ...attempt(1, 500), request: { body_b64: '/w==' } }] }
    const loaded = { events: [EVENT], deliveries: [binary], request: undefined }
    const { state } = applyActions(opened, { type: 'detail_loaded', pane: 'payments', id: 'p1', loaded })
    expect(press(state, 'E').state.notice?.text).toMatch(/not text/)
  })
})

describe('the palette', () => {
  it('runs the command whose description contains the typed words', () => {
    const open = press(stateWithPayments(1), ':').state
    const { state } = applyActions(open, input({ text: 'advance clock' }), ...pressKeys('enter'))
    expect(state.overlay).toMatchObject({ kind: 'form', form: { name: 'advance' } })
    expect(press(open, 'escape').state.overlay).toBeUndefined()
    expect(textOf(applyActions(open, input({ text: 'zzz' })).state)).toContain('no command contains these words')
  })

  it.each([
    ['replay', 'replay'],
    ['Retry', 'retry'],
    ['copy id', 'copy'],
    ['copy terminal', 'copy'],
    ['new', 'new'],
  ] as const)('lists the command first if %s is its label or in its texts', (typed, command) => {
    expect(paletteItems(typed, false)[0]?.command).toBe(command)
  })

  it('moves the choice by the arrows, within the commands', () => {
    const open = press(stateWithPayments(1), ':', 'up').state
    expect(open.overlay).toMatchObject({ selected: 0 })
    expect(press(open, 'down', 'down').state.overlay).toMatchObject({ selected: 2 })
  })
})

describe('marked rows', () => {
  const marked = press(stateWithPayments(3), ' ', ' ').state

  it('are shown, counted and paid after one question', () => {
    expect(linesOf(marked).filter((line) => /^│ .\*/.test(line))).toHaveLength(2)
    expect(textOf(marked)).toContain('2 marked')
    const { effects } = press(marked, 'p', 'enter')
    expect(calls(effects)).toEqual([
      {
        do: 'each',
        calls: [
          { do: 'pay', id: 'p3' },
          { do: 'pay', id: 'p2' },
        ],
      },
    ])
  })

  it('are counted in the frame if a filter hides some of them', () => {
    const hidden = press(press(stateWithPayments(12), '*').state, '/', ...'ord_p12', 'enter').state
    expect(textOf(hidden)).toContain(' 1 of 12 marked are shown ')
    const none = press(hidden, '/', ...'zz', 'enter', 'p').state
    expect(none.notice?.text).toBe('No marked row is shown. Clear the filter, or press Esc to remove the marks.')
  })

  it('are removed by Esc, by another pane and by *', () => {
    for (const key of ['escape', '2', '*']) expect(press(marked, key).state.marks.size).toBe(0)
    expect(press(stateWithPayments(3), '*').state.marks.size).toBe(3)
  })
})

describe('the mouse', () => {
  const list = stateWithPayments(30, {}, createState(80, 24))
  const click = (column: number, row: number) => input({ mouse: 'press', column, row })

  it('selects a row by a click, and opens it by another click', () => {
    const selected = applyActions(list, click(10, 6)).state
    expect(selectedRow(selected)?.id).toBe('p28')
    expect(applyActions(selected, click(10, 6)).state.focus).toBe('detail')
    expect(applyActions(list, click(10, 23)).state).toMatchObject({ focus: 'list', pane: 'payments' })
  })

  it('selects the pane whose name was clicked', () => {
    const names = linesOf(list)[2] ?? ''
    expect(applyActions(list, click(names.indexOf('Requests'), 2)).state.pane).toBe('requests')
    expect(applyActions(list, click(names.indexOf('Payouts') - 2, 2)).state.pane).toBe('payouts')
  })

  it('moves the selection by the wheel, and does nothing while an overlay is open', () => {
    const wheel = input({ mouse: 'wheel_down', column: 5, row: 8 })
    expect(selectedRow(applyActions(list, wheel).state)?.id).toBe('p27')
    const form = press(list, 'n').state
    expect(applyActions(form, wheel, click(10, 6)).state.overlay).toEqual(form.overlay)
  })

  it('is turned off and on by m', () => {
    expect(press(list, 'm').state.mouse).toBe(false)
    expect(press(list, 'm', 'm').state.mouse).toBe(true)
  })
})

it('a second with failures is red in the plot of the rate', () => {
  const open = applyActions(createState(100, 24), {
    type: 'connection',
    connection: { state: 'open' },
    now: NOW - 5000,
  }).state
  const at = (now: number, status: 'failed' | 'processing') => ({
    ...(receiveMessages(paymentMessage('a', { status })) as { type: 'messages'; batch: never; now: number }),
    now,
  })
  const { state } = applyActions(open, at(NOW, 'processing'), at(NOW + 1000, 'failed'), {
    type: 'tick',
    now: NOW + 2000,
  })
  const frame = renderFrame(state, COLOUR_THEME).split('\n')[1]
  expect(frame).toContain('█\u001b[31m█\u001b[39m')
})
