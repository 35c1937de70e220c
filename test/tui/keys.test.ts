import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { createKeyQueue } from '../../src/tui/key-queue.ts'
import { KEY_TABLE } from '../../src/tui/keys/key-table.ts'
import { renderFooter } from '../../src/tui/panes/footer.ts'
import type { Overlay, State } from '../../src/tui/state/state.ts'
import { MAX_TEXT_LENGTH } from '../../src/view-model/forms/edit-form.ts'
import { selectedRow } from '../../src/view-model/rows/visible-rows.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import {
  applyActions,
  createPayout,
  createState,
  PLAIN_THEME,
  paymentMessage,
  pressKeys,
  receiveMessages,
  stateWithPayments,
  typeText,
} from './fixtures.ts'

const press = (state: State, ...names: readonly string[]) => applyActions(state, ...pressKeys(...names))
const callEffects = (effects: readonly { do: string }[]) => effects.filter((effect) => effect.do !== 'load')
const pending = stateWithPayments(1)
const paid = stateWithPayments(1, { status: 'succeeded', amount: 10_000 })

describe('the key n', () => {
  it('creates a payment with the typed amount', () => {
    const { effects } = press(createState(), 'n', ...'1500.5', 'enter')
    expect(callEffects(effects)).toMatchObject([{ do: 'create_payment', body: { amount: 150_050 } }])
  })

  it('does not create an object while an invalid key blocks the form', () => {
    const blocked = press(createState(), 'n', 'up', ...'15', 'enter')
    expect(callEffects(blocked.effects)).toEqual([])
    expect(blocked.state.overlay).toMatchObject({ kind: 'form', form: { blocked: true } })
    expect(callEffects(press(blocked.state, 'tab', 'enter').effects)).toMatchObject([{ do: 'create_payment' }])
  })

  it('creates a payout in the pane of payouts', () => {
    const { effects } = press(createState(), '2', 'n', ...'10', 'enter')
    expect(callEffects(effects)).toMatchObject([{ do: 'create_payout', body: { amount: 1000 } }])
  })
})

describe('the keys on a payment', () => {
  it('p asks first, and Enter pays the payment', () => {
    const asked = press(pending, 'p')
    expect(callEffects(asked.effects)).toEqual([])
    expect(asked.state.overlay).toMatchObject({ kind: 'confirm', question: 'Pay p1, 1 500.00 RUB?' })
    expect(callEffects(press(asked.state, 'enter').effects)).toEqual([{ do: 'pay', id: 'p1' }])
  })

  it('d declines the payment with the selected code', () => {
    const { effects } = press(pending, 'd', 'right', 'enter')
    expect(callEffects(effects)).toEqual([{ do: 'decline', id: 'p1', code: 'call_issuer' }])
  })

  it('d selects a code by its first letter', () => {
    const { effects } = press(pending, 'd', 'f', 'f', 'enter')
    expect(callEffects(effects)).toEqual([{ do: 'decline', id: 'p1', code: 'frequency_exceeded' }])
  })

  it('c asks first, and Enter or y cancels the payment', () => {
    const asked = press(pending, 'c')
    expect(callEffects(asked.effects)).toEqual([])
    expect(asked.state.overlay).toMatchObject({
      kind: 'confirm',
      question: 'Cancel p1, 1 500.00 RUB? This cannot be undone.',
    })
    for (const key of ['n', 'escape']) expect(callEffects(press(asked.state, key).effects)).toEqual([])
    for (const key of ['y', 'enter'])
      expect(callEffects(press(asked.state, key).effects)).toEqual([{ do: 'cancel', id: 'p1' }])
    expect(press(asked.state, 'z').state.overlay).toBeDefined()
  })

  it('r refunds the refundable amount, or the typed one', () => {
    expect(callEffects(press(paid, 'r', 'enter').effects)).toEqual([
      { do: 'refund', id: 'p1', amount: 10_000, reason: undefined },
    ])
    const opened = press(paid, 'r', 'ctrl+u').state
    const { effects } = applyActions(
      opened,
      ...typeText('12.5'),
      ...pressKeys('tab'),
      ...typeText('брак'),
      ...pressKeys('enter'),
    )
    expect(callEffects(effects)).toEqual([{ do: 'refund', id: 'p1', amount: 1250, reason: 'брак' }])
  })

  it('r shows a problem with the amount and keeps the form open', () => {
    const { state, effects } = applyActions(
      press(paid, 'r', 'ctrl+u').state,
      ...typeText('100.01'),
      ...pressKeys('enter'),
    )
    expect(callEffects(effects)).toEqual([])
    expect(state.overlay).toMatchObject({ form: { problem: 'At most 100.00 RUB can be refunded.' } })
  })

  it('x asks and replays, R asks and retries if nothing fails, o opens the page, y copies the id', () => {
    expect(callEffects(press(paid, 'x', 'y').effects)).toEqual([{ do: 'replay_newest', object_id: 'p1' }])
    expect(callEffects(press(paid, 'R').effects)).toEqual([])
    expect(callEffects(press(paid, 'R', 'y').effects)).toEqual([{ do: 'retry_newest', object_id: 'p1' }])
    expect(callEffects(press(paid, 'o').effects)).toEqual([{ do: 'open', id: 'p1' }])
    expect(callEffects(press(paid, 'y').effects)).toEqual([{ do: 'copy', text: 'p1' }])
  })

  it.each([
    ['p', paid, 'The payment is already succeeded. Press n to create another one.'],
    ['c', paid, 'The payment is succeeded. Only a pending payment can be cancelled.'],
    ['r', pending, 'The payment is pending. Only a succeeded payment can be refunded.'],
    ['x', pending, 'The payment is pending. It has no webhook yet.'],
    ['p', createState(), 'No row is selected.'],
  ])('%s shows why its action is not available', (key, state, reason) => {
    const { state: next, effects } = press(state, key)
    expect(callEffects(effects)).toEqual([])
    expect(next.notice?.text).toBe(reason)
  })
})

describe('the other keys', () => {
  const message = {
    kind: 'payout',
    at: '2026-05-06T12:00:00.000Z',
    change: 'created',
    status: 'pending',
    payout: createPayout('o1'),
  } as const

  it('p and d settle a payout', () => {
    const state = press(applyActions(createState(), receiveMessages(message)).state, '2').state
    expect(callEffects(press(state, 'p', 'enter').effects)).toEqual([{ do: 'settle', id: 'o1', status: 'succeeded' }])
    expect(callEffects(press(state, 'd', 'enter').effects)).toEqual([
      { do: 'settle', id: 'o1', status: 'failed', code: 'insufficient_funds' },
    ])
    expect(press(state, 'c').state.notice?.text).toBe('This action is for payments only. Press 1 to show payments.')
    expect(press(press(state, 'c').state, 'escape').state.notice).toBeUndefined()
  })

  it('x and R act on the selected delivery', () => {
    const delivery = {
      id: 'd1',
      event_id: 'evt_1',
      event: 'payment.failed',
      object_id: 'p1',
      shop_id: 's',
      url: 'http://x/',
      status: 'exhausted',
      attempts_made: 9,
      attempts_total: 9,
    } as const
    const state = press(
      applyActions(createState(), receiveMessages({ kind: 'delivery', at: message.at, delivery })).state,
      '3',
    ).state
    expect(callEffects(press(state, 'R').effects)).toEqual([{ do: 'retry', delivery_id: 'd1' }])
    expect(callEffects(press(state, 'x', 'y').effects)).toEqual([{ do: 'replay', event_id: 'evt_1' }])
  })

  it('a advances the clock, f freezes and resumes it', () => {
    expect(callEffects(press(createState(), 'a', 'enter').effects)).toEqual([{ do: 'advance', body: { by: '20m' } }])
    const idle = applyActions(press(createState(), 'a', 'ctrl+u').state, ...typeText('idle'), ...pressKeys('enter'))
    expect(callEffects(idle.effects)).toEqual([{ do: 'advance', body: { until: 'idle' } }])
    expect(callEffects(press(createState(), 'f').effects)).toEqual([{ do: 'freeze' }])
    const clock = { mode: 'frozen', now: message.at, speed: 1, next_due: null } as const
    const frozen = applyActions(createState(), { type: 'clock', clock, now: 0 }).state
    expect(callEffects(press(frozen, 'f').effects)).toEqual([{ do: 'resume' }])
  })

  it('Tab and digits switch between the panes', () => {
    expect(press(createState(), 'tab').state.pane).toBe('payouts')
    expect(press(createState(), 'shift+tab').state.pane).toBe('stream')
    expect(press(createState(), '4').state.pane).toBe('requests')
  })

  it('Esc goes back one step at a time', () => {
    const detail = applyActions(stateWithPayments(3), ...pressKeys('/', 'p', 'enter', 'j', 'enter')).state
    expect([detail.focus, detail.listViews.payments]).toEqual(['detail', { selectedId: 'p2', sort: 0, filter: 'p' }])
    const [list, all, newest] = [1, 2, 3].map(
      (times) => press(detail, ...new Array<string>(times).fill('escape')).state,
    )
    expect(list?.focus).toBe('list')
    expect(all?.listViews.payments).toEqual({ selectedId: 'p2', sort: 0, filter: '' })
    expect(newest?.listViews.payments.selectedId).toBeUndefined()
  })

  it('q and Ctrl-C quit, and in a form only Ctrl-C does', () => {
    expect(callEffects(press(createState(), 'q').effects)).toEqual([{ do: 'quit' }])
    expect(callEffects(press(createState(), 'n', 'ctrl+c').effects)).toEqual([{ do: 'quit' }])
    expect(callEffects(press(createState(), 'n', 'q').effects)).toEqual([])
  })

  it.each([
    ['n', /^ Enter submit {3}Esc cancel {3}Tab next *$/],
    ['d', /^ Enter submit {3}Esc cancel {3}← → choose *$/],
    [':', /^ Enter run {3}↑ ↓ choose {3}Esc cancel *$/],
  ])('the hints of the overlay of %s fit on 40 columns and name no key that types', (key, hints) => {
    const list = stateWithPayments(1, {}, createState(40, 24))
    expect(renderFooter(press(list, key).state, PLAIN_THEME)).toMatch(hints)
  })

  it('Ctrl-Z suspends the view, also while a form is open', () => {
    expect(callEffects(press(createState(), 'ctrl+z').effects)).toEqual([{ do: 'suspend' }])
    const form = press(createState(), 'n').state
    const { state, effects } = press(form, 'ctrl+z')
    expect([state.overlay, callEffects(effects)]).toEqual([form.overlay, [{ do: 'suspend' }]])
  })

  it('? opens the help, which scrolls and closes', () => {
    const help = press(createState(60, 16), '?', 'j', 'j').state
    expect(help.overlay).toEqual({ kind: 'help', scroll: 2 } satisfies Overlay)
    expect(press(help, 'q').state.overlay).toBeUndefined()
  })
})

describe('the detail of the selected row', () => {
  it('is fetched when the row is selected and when the row changes', () => {
    const { state, effects } = applyActions(createState(), receiveMessages(paymentMessage('a')))
    expect(effects).toEqual([{ do: 'load', pane: 'payments', id: 'a' }])
    expect(applyActions(state, receiveMessages(paymentMessage('a', { status: 'failed' }))).effects).toEqual([
      { do: 'load', pane: 'payments', id: 'a' },
    ])
    const inDetail = applyActions(state, ...pressKeys('enter'), receiveMessages(paymentMessage('b')))
    expect(inDetail.effects).toEqual([])
    expect(selectedRow(inDetail.state)?.id).toBe('a')
  })

  it('ignores data that was fetched for another row', () => {
    const { state } = applyActions(createState(), receiveMessages(paymentMessage('a')), {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'z',
      loaded: { problem: 'no' },
    })
    expect(state.detail).toMatchObject({ id: 'a', loading: true, problem: undefined })
  })
})

test('a created object is selected and its result is shown', () => {
  const created = {
    pane: 'payments',
    payment: { ...stateWithPayments(1).tables.payments.get('p1')?.payment, id: 'new1' },
  } as never
  const { state } = applyActions(stateWithPayments(2), ...pressKeys('3'), {
    type: 'call_done',
    text: 'Payment made is pending.',
    now: 0,
    created: created,
  })
  expect([state.pane, selectedRow(state)?.id, state.notice?.text]).toEqual([
    'payments',
    'new1',
    'Payment made is pending.',
  ])
})

test('each key has one command', () => {
  const names = Object.values(KEY_TABLE).flatMap(({ keys }) => keys as readonly string[])
  expect(new Set(names).size).toBe(names.length)
})

test('docs/guides/ui.md lists every key with its description', () => {
  const text = readFileSync(new URL('../../docs/guides/ui.md', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^\| (`.+`) \| (.+) \|$/gm)].map(([, shown = '', about = '']) => [
    shown,
    about.replaceAll('`', ''),
  ])
  const known = Object.values(KEY_TABLE).map(({ shown, description }) => [
    shown
      .split(' ')
      .map((key) => `\`${key}\``)
      .join(' '),
    description,
  ])
  expect(listed).toEqual(known)
})

describe('a paste', () => {
  const opened = press(stateWithPayments(3), '/').state

  it('filters the rows only once', () => {
    const state = { ...opened, tables: { ...opened.tables, payments: countingMap(opened.tables.payments) } }
    const pasted = applyActions(state, { type: 'keys', keys: [...'p2 and'.padEnd(5000, 'x')], now: 0 }).state
    expect(readCountOf(state.tables.payments)).toBe(1)
    expect(pasted.overlay).toMatchObject({ kind: 'filter', cursor: MAX_TEXT_LENGTH })
  })

  it('is truncated at the maximum text length in a filter and in a form', () => {
    const long = [...'я'.repeat(5000)]
    const filter = applyActions(opened, { type: 'keys', keys: long, now: 0 }).state
    expect(filter.listViews.payments.filter).toBe('я'.repeat(MAX_TEXT_LENGTH))
    const form = press(paid, 'r', 'tab').state
    const { overlay } = applyActions(form, { type: 'keys', keys: long, now: 0 }).state
    expect(overlay).toMatchObject({ form: { values: { reason: 'я'.repeat(MAX_TEXT_LENGTH) } } })
  })

  it('is handled in batches, one per frame, if its keys arrive one by one', async () => {
    const systemClock = manualSystemClock()
    const batches: number[] = []
    const queue = createKeyQueue((keys) => batches.push(keys.length), systemClock)
    queue.push(['a'])
    expect(batches).toEqual([1])
    for (let i = 0; i < 1200; i++) queue.push(['b'])
    expect(batches).toEqual([1])
    await systemClock.advance(100)
    expect(batches).toEqual([1, 500, 500, 200])
    queue.push(['c'])
    expect(batches).toEqual([1, 500, 500, 200, 1])
    for (let i = 0; i < 3; i++) queue.push(['d'])
    queue.stop()
    await systemClock.advance(100)
    expect(batches).toHaveLength(5)
  })
})

class CountingMap<K, V> extends Map<K, V> {
  readCount = 0
  override values() {
    this.readCount++
    return super.values()
  }
}

const countingMap = <K, V>(rows: ReadonlyMap<K, V>): ReadonlyMap<K, V> => new CountingMap(rows)
const readCountOf = (rows: ReadonlyMap<string, unknown>) => (rows as CountingMap<string, unknown>).readCount
