// The next state and what is to be done, from a state and what happened. Nothing here reads a clock or calls anybody.
import type { Action, Made } from './action.ts'
import type { Effect } from './effect.ts'
import { objectOf } from './message.ts'
import { pressKey } from './press-key.ts'
import { countChanges, moveTo } from './rates.ts'
import type { Tables } from './rows.ts'
import { chosenRow } from './seen-rows.ts'
import type { Detail, Notice, State } from './state.ts'
import { takeLists } from './take-lists.ts'
import { takeMessages } from './take-messages.ts'
import { knownClock } from './virtual-now.ts'

/** Messages that come sooner after the stream has opened (ms) are history: they make no rate. */
const HISTORY = 1500

/** ms a notice is shown. */
const NOTICE = 6000

export type Reduced = readonly [state: State, effects: readonly Effect[]]

export function reduce(state: State, action: Action): Reduced {
  const [next, effects] = step(state, action)
  return withDetail(state, next, effects, action)
}

function step(state: State, action: Action): Reduced {
  switch (action.type) {
    case 'keys':
      // What was said has been seen: the keys of the moment come back.
      return pressKeys({ ...state, now: action.now, notice: undefined }, action.keys)
    case 'tick':
      return [{ ...state, ...passed(state, action.now), rates: moveTo(state.rates, Math.floor(action.now / 1000)) }, []]
    case 'resized':
      return [{ ...state, size: action.size }, []]
    case 'line': {
      const live = action.line.state === 'open' ? action.now + HISTORY : state.live
      return [{ ...state, line: action.line, live, now: action.now }, []]
    }
    case 'clock':
      return [{ ...state, clock: knownClock(action.clock, action.now), now: action.now }, []]
    case 'lists':
      return [{ ...state, tables: takeLists(state.tables, action.lists) }, []]
    case 'heard':
      return [heard(state, action), []]
    case 'loaded':
      return [{ ...state, detail: loaded(state, action) }, []]
    case 'done': {
      const notice: Notice = { text: action.text, look: 'good', until: action.now + NOTICE }
      const after = { ...state, notice, waiting: Math.max(0, state.waiting - 1) }
      return [action.made === undefined ? after : show(after, action.made), []]
    }
    case 'remark':
      return [{ ...state, notice: { text: action.text, look: 'good', until: action.now + NOTICE } }, []]
    case 'failed': {
      const notice: Notice = { text: action.text, look: 'bad', until: action.now + NOTICE * 2 }
      return [{ ...state, notice, waiting: Math.max(0, state.waiting - 1) }, []]
    }
  }
}

/** Keys of one piece are one change: rows are looked through once, however long a paste is. */
function pressKeys(state: State, keys: readonly string[]): Reduced {
  const effects: Effect[] = []
  for (const key of keys) {
    const [next, more] = pressKey(state, key)
    state = next
    effects.push(...more)
  }
  return [state, effects]
}

function passed({ notice }: State, now: number): Pick<State, 'now' | 'notice'> {
  return { now, notice: notice !== undefined && now >= notice.until ? undefined : notice }
}

function heard(state: State, { batch, now }: Extract<Action, { type: 'heard' }>): State {
  return {
    ...state,
    now,
    tables: takeMessages(state.tables, batch),
    rates: countChanges(state, batch, now),
  }
}

/** Shows what a call has made. Where one is in the middle of something else, it only joins the rows. */
function show(state: State, made: Made): State {
  const tables = withMade(state.tables, made)
  if (state.overlay !== undefined) return { ...state, tables }
  const { pane } = made
  const chosen = 'payment' in made ? made.payment.id : made.payout.id
  const gazes = { ...state.gazes, [pane]: { ...state.gazes[pane], filter: '', chosen } }
  return { ...state, tables, pane, focus: 'list', scroll: 0, gazes }
}

function withMade(tables: Tables, made: Made): Tables {
  if ('payment' in made) {
    const { id } = made.payment
    const row = { id, payment: made.payment, steps: [], as_of: 0 }
    return tables.payments.has(id) ? tables : { ...tables, payments: new Map(tables.payments).set(id, row) }
  }
  const { id } = made.payout
  const row = { id, payout: made.payout, steps: [], as_of: 0 }
  return tables.payouts.has(id) ? tables : { ...tables, payouts: new Map(tables.payouts).set(id, row) }
}

function loaded({ detail }: State, { pane, id, found }: Extract<Action, { type: 'loaded' }>): Detail | undefined {
  if (detail === undefined || detail.pane !== pane || detail.id !== id) return detail
  if ('problem' in found) return { ...detail, loading: false, problem: found.problem }
  return { ...detail, ...found, loading: false, problem: undefined }
}

/** The detail belongs to the chosen row: another one is fetched, and so is what changed. */
function withDetail(before: State, next: State, effects: readonly Effect[], action: Action): Reduced {
  const id = chosenRow(next)?.id
  const { pane, detail } = next
  if (id === undefined) return [detail === undefined ? next : { ...next, detail: undefined }, effects]
  const load: Effect = { do: 'load', pane, id }
  if (detail?.pane !== pane || detail.id !== id) {
    const fresh: Detail = {
      pane,
      id,
      loading: true,
      events: [],
      deliveries: [],
      request: undefined,
      problem: undefined,
    }
    const scroll = before.pane === pane && next.focus === 'detail' ? next.scroll : 0
    return [{ ...next, detail: fresh, scroll }, [...effects, load]]
  }
  return concerns(action, detail) ? [next, [...effects, load]] : [next, effects]
}

function concerns(action: Action, { id }: Detail): boolean {
  if (action.type !== 'heard') return false
  return action.batch.some(({ told }) => objectOf(told) === id || ('delivery' in told && told.delivery.id === id))
}
