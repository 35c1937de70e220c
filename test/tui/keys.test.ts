import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { MAX_TEXT_LENGTH } from '../../src/tui/forms/edit-form.ts'
import { createKeyQueue } from '../../src/tui/key-queue.ts'
import { KEY_TABLE } from '../../src/tui/keys/key-table.ts'
import type { Overlay, State } from '../../src/tui/state/state.ts'
import { selectedRow } from '../../src/tui/state/visible-rows.ts'
import { manualWall } from '../time/manual-wall.ts'
import { batch, keys, paymentTold, payout, played, start, typed, withPayments } from './fixtures.ts'

const pressed = (state: State, ...names: readonly string[]) => played(state, ...keys(...names))
const calls = (effects: readonly { do: string }[]) => effects.filter((effect) => effect.do !== 'load')
const pending = withPayments(1)
const paid = withPayments(1, { status: 'succeeded', amount: 10_000 })

describe('a new object', () => {
  it('of the amount that is typed first', () => {
    const { effects } = pressed(start(), 'n', ...'1500.5', 'enter')
    expect(calls(effects)).toMatchObject([{ do: 'create_payment', body: { amount: 150_050 } }])
  })

  it('is not made while a key has fallen nowhere', () => {
    const lost = pressed(start(), 'n', 'up', ...'15', 'enter')
    expect(calls(lost.effects)).toEqual([])
    expect(lost.state.overlay).toMatchObject({ kind: 'form', form: { blocked: true } })
    expect(calls(pressed(lost.state, 'tab', 'enter').effects)).toMatchObject([{ do: 'create_payment' }])
  })

  it('is of the kind one looks at', () => {
    const { effects } = pressed(start(), '2', 'n', ...'10', 'enter')
    expect(calls(effects)).toMatchObject([{ do: 'create_payout', body: { amount: 1000 } }])
  })
})

describe('keys on a payment', () => {
  it('p pays', () => {
    expect(calls(pressed(pending, 'p').effects)).toEqual([{ do: 'pay', id: 'p1' }])
  })

  it('d declines with the chosen code', () => {
    const { effects } = pressed(pending, 'd', 'right', 'enter')
    expect(calls(effects)).toEqual([{ do: 'decline', id: 'p1', code: 'call_issuer' }])
  })

  it('d takes a code by its first letters', () => {
    const { effects } = pressed(pending, 'd', 'f', 'f', 'enter')
    expect(calls(effects)).toEqual([{ do: 'decline', id: 'p1', code: 'frequency_exceeded' }])
  })

  it('c asks, and only y cancels', () => {
    const asked = pressed(pending, 'c')
    expect(calls(asked.effects)).toEqual([])
    expect(asked.state.overlay).toMatchObject({ kind: 'confirm', question: 'Cancel p1, 1 500.00 RUB? This is final.' })
    for (const key of ['n', 'enter', 'escape']) expect(calls(pressed(asked.state, key).effects)).toEqual([])
    expect(calls(pressed(asked.state, 'y').effects)).toEqual([{ do: 'cancel', id: 'p1' }])
    expect(pressed(asked.state, 'z').state.overlay).toBeDefined()
  })

  it('r refunds the remainder, or what is typed', () => {
    expect(calls(pressed(paid, 'r', 'enter').effects)).toEqual([
      { do: 'refund', id: 'p1', amount: 10_000, reason: undefined },
    ])
    const opened = pressed(paid, 'r', 'ctrl+u').state
    const { effects } = played(opened, ...typed('12.5'), ...keys('tab'), ...typed('брак'), ...keys('enter'))
    expect(calls(effects)).toEqual([{ do: 'refund', id: 'p1', amount: 1250, reason: 'брак' }])
  })

  it('r says what is wrong and stays open', () => {
    const { state, effects } = played(pressed(paid, 'r', 'ctrl+u').state, ...typed('100.01'), ...keys('enter'))
    expect(calls(effects)).toEqual([])
    expect(state.overlay).toMatchObject({ form: { problem: 'At most 100.00 RUB are left to refund.' } })
  })

  it('x asks and replays, R retries, o opens, y copies', () => {
    expect(calls(pressed(paid, 'x', 'y').effects)).toEqual([{ do: 'replay_newest', object_id: 'p1' }])
    expect(calls(pressed(paid, 'R').effects)).toEqual([{ do: 'retry_newest', object_id: 'p1' }])
    expect(calls(pressed(paid, 'o').effects)).toEqual([{ do: 'open', id: 'p1' }])
    expect(calls(pressed(paid, 'y').effects)).toEqual([{ do: 'copy', text: 'p1' }])
  })

  it.each([
    ['p', paid, 'The payment is succeeded: only an open one is paid or declined. n makes one.'],
    ['c', paid, 'The payment is succeeded: only a pending one is cancelled.'],
    ['r', pending, 'The payment is pending: only a succeeded one is refunded.'],
    ['x', pending, 'The payment is pending: there is no webhook yet.'],
    ['p', start(), 'Nothing is chosen.'],
  ])('%s says why it cannot be done', (key, state, reason) => {
    const { state: next, effects } = pressed(state, key)
    expect(calls(effects)).toEqual([])
    expect(next.notice?.text).toBe(reason)
  })
})

describe('keys elsewhere', () => {
  const told = {
    kind: 'payout',
    at: '2026-05-06T12:00:00.000Z',
    change: 'created',
    status: 'pending',
    payout: payout('o1'),
  } as const

  it('p and d settle a payout', () => {
    const state = pressed(played(start(), batch(told)).state, '2').state
    expect(calls(pressed(state, 'p').effects)).toEqual([{ do: 'settle', id: 'o1', status: 'succeeded' }])
    expect(calls(pressed(state, 'd', 'enter').effects)).toEqual([
      { do: 'settle', id: 'o1', status: 'failed', code: 'insufficient_funds' },
    ])
    expect(pressed(state, 'c').state.notice?.text).toBe('That is for payments: choose one with 1.')
    expect(pressed(pressed(state, 'c').state, 'escape').state.notice).toBeUndefined()
  })

  it('x and R act on the chosen delivery', () => {
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
    const state = pressed(played(start(), batch({ kind: 'delivery', at: told.at, delivery })).state, '3').state
    expect(calls(pressed(state, 'R').effects)).toEqual([{ do: 'retry', delivery_id: 'd1' }])
    expect(calls(pressed(state, 'x', 'y').effects)).toEqual([{ do: 'replay', event_id: 'evt_1' }])
  })

  it('a advances, f freezes and resumes', () => {
    expect(calls(pressed(start(), 'a', 'enter').effects)).toEqual([{ do: 'advance', body: { by: '20m' } }])
    const idle = played(pressed(start(), 'a', 'ctrl+u').state, ...typed('idle'), ...keys('enter'))
    expect(calls(idle.effects)).toEqual([{ do: 'advance', body: { until: 'idle' } }])
    expect(calls(pressed(start(), 'f').effects)).toEqual([{ do: 'freeze' }])
    const clock = { mode: 'frozen', now: told.at, speed: 1, next_due: null } as const
    const frozen = played(start(), { type: 'clock', clock, now: 0 }).state
    expect(calls(pressed(frozen, 'f').effects)).toEqual([{ do: 'resume' }])
  })

  it('Tab and digits go through the panes', () => {
    expect(pressed(start(), 'tab').state.pane).toBe('payouts')
    expect(pressed(start(), 'shift+tab').state.pane).toBe('stream')
    expect(pressed(start(), '4').state.pane).toBe('requests')
  })

  it('Esc goes back a step at a time', () => {
    const deep = played(withPayments(3), ...keys('/', 'p', 'enter', 'j', 'enter')).state
    expect([deep.focus, deep.listViews.payments]).toEqual(['detail', { selectedId: 'p2', sort: 0, filter: 'p' }])
    const [list, all, newest] = [1, 2, 3].map(
      (times) => pressed(deep, ...new Array<string>(times).fill('escape')).state,
    )
    expect(list?.focus).toBe('list')
    expect(all?.listViews.payments).toEqual({ selectedId: 'p2', sort: 0, filter: '' })
    expect(newest?.listViews.payments.selectedId).toBeUndefined()
  })

  it('q and Ctrl-C end, Ctrl-C also out of a form', () => {
    expect(calls(pressed(start(), 'q').effects)).toEqual([{ do: 'quit' }])
    expect(calls(pressed(start(), 'n', 'ctrl+c').effects)).toEqual([{ do: 'quit' }])
    expect(calls(pressed(start(), 'n', 'q').effects)).toEqual([])
  })

  it('help opens, scrolls and closes', () => {
    const help = pressed(start(60, 16), '?', 'j', 'j').state
    expect(help.overlay).toEqual({ kind: 'help', scroll: 2 } satisfies Overlay)
    expect(pressed(help, 'q').state.overlay).toBeUndefined()
  })
})

describe('the detail of the chosen row', () => {
  it('is fetched once it is chosen, and again when something happens to it', () => {
    const { state, effects } = played(start(), batch(paymentTold('a')))
    expect(effects).toEqual([{ do: 'load', pane: 'payments', id: 'a' }])
    expect(played(state, batch(paymentTold('a', { status: 'failed' }))).effects).toEqual([
      { do: 'load', pane: 'payments', id: 'a' },
    ])
    const away = played(state, ...keys('enter'), batch(paymentTold('b')))
    expect(away.effects).toEqual([])
    expect(selectedRow(away.state)?.id).toBe('a')
  })

  it('does not take what was fetched for another', () => {
    const { state } = played(start(), batch(paymentTold('a')), {
      type: 'detail_loaded',
      pane: 'payments',
      id: 'z',
      loaded: { problem: 'no' },
    })
    expect(state.detail).toMatchObject({ id: 'a', loading: true, problem: undefined })
  })
})

test('what was made is chosen at once, and its answer told', () => {
  const made = {
    pane: 'payments',
    payment: { ...withPayments(1).tables.payments.get('p1')?.payment, id: 'made' },
  } as never
  const { state } = played(withPayments(2), ...keys('3'), {
    type: 'call_done',
    text: 'Payment made is pending.',
    now: 0,
    created: made,
  })
  expect([state.pane, selectedRow(state)?.id, state.notice?.text]).toEqual([
    'payments',
    'made',
    'Payment made is pending.',
  ])
})

test('no key does two things', () => {
  const all = Object.values(KEY_TABLE).flatMap(({ keys: names }) => names as readonly string[])
  expect(new Set(all).size).toBe(all.length)
})

test('docs/guides/ui.md lists the keys as they are', () => {
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
  const opened = pressed(withPayments(3), '/').state

  it('is one edit: the rows are looked through once', () => {
    const state = { ...opened, tables: { ...opened.tables, payments: counted(opened.tables.payments) } }
    const pasted = played(state, { type: 'keys', keys: [...'p2 and'.padEnd(5000, 'x')], now: 0 }).state
    expect(looks(state.tables.payments)).toBe(1)
    expect(pasted.overlay).toMatchObject({ kind: 'filter', cursor: MAX_TEXT_LENGTH })
  })

  it('is cut where a line of text is full, in a filter and in a form', () => {
    const long = [...'я'.repeat(5000)]
    const filter = played(opened, { type: 'keys', keys: long, now: 0 }).state
    expect(filter.listViews.payments.filter).toBe('я'.repeat(MAX_TEXT_LENGTH))
    const form = pressed(paid, 'r', 'tab').state
    const { overlay } = played(form, { type: 'keys', keys: long, now: 0 }).state
    expect(overlay).toMatchObject({ form: { values: { reason: 'я'.repeat(MAX_TEXT_LENGTH) } } })
  })

  it('that comes key by key waits for the next frame, piece by piece', async () => {
    const wall = manualWall()
    const taken: number[] = []
    const queue = createKeyQueue((keys) => taken.push(keys.length), wall)
    queue.push(['a'])
    expect(taken).toEqual([1])
    for (let i = 0; i < 1200; i++) queue.push(['b'])
    expect(taken).toEqual([1])
    await wall.advance(100)
    expect(taken).toEqual([1, 500, 500, 200])
    queue.push(['c'])
    expect(taken).toEqual([1, 500, 500, 200, 1])
    for (let i = 0; i < 3; i++) queue.push(['d'])
    queue.stop()
    await wall.advance(100)
    expect(taken).toHaveLength(5)
  })
})

class Counted<K, V> extends Map<K, V> {
  looks = 0
  override values() {
    this.looks++
    return super.values()
  }
}

const counted = <K, V>(rows: ReadonlyMap<K, V>): ReadonlyMap<K, V> => new Counted(rows)
const looks = (rows: ReadonlyMap<string, unknown>) => (rows as Counted<string, unknown>).looks
