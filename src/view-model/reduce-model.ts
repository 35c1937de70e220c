// Computes the next state and the effects of an action. Pure: it reads no clock and calls no server.

import { pressKey } from '../tui/keys/press-key.ts'
import type { Effect } from './effect.ts'
import type { Detail, Notice, State } from './model.ts'
import type { Action, CreatedObject } from './model-action.ts'
import { advanceTo, countChanges } from './rates.ts'
import { applyMessages } from './rows/apply-messages.ts'
import { mergeLists } from './rows/merge-lists.ts'
import type { Tables } from './rows/rows.ts'
import { objectIdOf } from './rows/stream-message.ts'
import { selectedRow } from './rows/visible-rows.ts'
import { toKnownClock } from './sandbox-clock.ts'

/** ms after the stream opens in which messages are history, and not counted in the rate. */
const HISTORY_WINDOW = 1500

/** ms that a notice is shown. */
const NOTICE_DURATION = 6000

export type Reduced = readonly [state: State, effects: readonly Effect[]]

export function reduce(state: State, action: Action): Reduced {
  const [next, effects] = applyAction(state, action)
  return syncDetail(state, next, effects, action)
}

function applyAction(state: State, action: Action): Reduced {
  switch (action.type) {
    case 'keys':
      // A key dismisses the notice, so that the footer shows the available keys again.
      return pressKeys({ ...state, now: action.now, notice: undefined }, action.keys)
    case 'tick':
      return [
        { ...state, ...advanceTime(state, action.now), rates: advanceTo(state.rates, Math.floor(action.now / 1000)) },
        [],
      ]
    case 'resized':
      return [{ ...state, size: action.size }, []]
    case 'connection': {
      const liveSince = action.connection.state === 'open' ? action.now + HISTORY_WINDOW : state.liveSince
      return [{ ...state, connection: action.connection, liveSince, now: action.now }, []]
    }
    case 'clock':
      return [{ ...state, clock: toKnownClock(action.clock, action.now), now: action.now }, []]
    case 'lists':
      return [{ ...state, tables: mergeLists(state.tables, action.lists) }, []]
    case 'messages':
      return [receiveMessages(state, action), []]
    case 'detail_loaded':
      return [{ ...state, detail: mergeDetail(state, action) }, []]
    case 'call_done': {
      const notice: Notice = { text: action.text, style: 'success', until: action.now + NOTICE_DURATION }
      const after = { ...state, notice, waiting: Math.max(0, state.pendingCalls - 1) }
      return [action.created === undefined ? after : showCreated(after, action.created), []]
    }
    case 'notice':
      return [{ ...state, notice: { text: action.text, style: 'success', until: action.now + NOTICE_DURATION } }, []]
    case 'call_failed': {
      const notice: Notice = { text: action.text, style: 'failure', until: action.now + NOTICE_DURATION * 2 }
      return [{ ...state, notice, pendingCalls: Math.max(0, state.pendingCalls - 1) }, []]
    }
  }
}

/** Applies a batch of keys as one change, so that a long paste filters the rows only once. */
function pressKeys(state: State, keys: readonly string[]): Reduced {
  const effects: Effect[] = []
  for (const key of keys) {
    const [next, more] = pressKey(state, key)
    state = next
    effects.push(...more)
  }
  return [state, effects]
}

function advanceTime({ notice }: State, now: number): Pick<State, 'now' | 'notice'> {
  return { now, notice: notice !== undefined && now >= notice.until ? undefined : notice }
}

function receiveMessages(state: State, { batch, now }: Extract<Action, { type: 'messages' }>): State {
  return {
    ...state,
    now,
    tables: applyMessages(state.tables, batch),
    rates: countChanges(state, batch, now),
  }
}

/** Adds a created object to its table, and selects it unless an overlay is open. */
function showCreated(state: State, created: CreatedObject): State {
  const tables = addCreated(state.tables, created)
  if (state.overlay !== undefined) return { ...state, tables }
  const { pane } = created
  const selectedId = 'payment' in created ? created.payment.id : created.payout.id
  const listViews = { ...state.listViews, [pane]: { ...state.listViews[pane], filter: '', selectedId } }
  return { ...state, tables, pane, focus: 'list', detailScroll: 0, listViews }
}

function addCreated(tables: Tables, created: CreatedObject): Tables {
  if ('payment' in created) {
    const { id } = created.payment
    const row = { id, payment: created.payment, steps: [], lastMessageId: 0 }
    return tables.payments.has(id) ? tables : { ...tables, payments: new Map(tables.payments).set(id, row) }
  }
  const { id } = created.payout
  const row = { id, payout: created.payout, steps: [], lastMessageId: 0 }
  return tables.payouts.has(id) ? tables : { ...tables, payouts: new Map(tables.payouts).set(id, row) }
}

function mergeDetail(
  { detail }: State,
  { pane, id, loaded }: Extract<Action, { type: 'detail_loaded' }>,
): Detail | undefined {
  if (detail === undefined || detail.pane !== pane || detail.id !== id) return detail
  if ('problem' in loaded) return { ...detail, loading: false, problem: loaded.problem }
  return { ...detail, ...loaded, loading: false, problem: undefined }
}

/** Requests the detail of the selected row if another row was selected or the row changed. */
function syncDetail(before: State, next: State, effects: readonly Effect[], action: Action): Reduced {
  const id = selectedRow(next)?.id
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
    const scroll = before.pane === pane && next.focus === 'detail' ? next.detailScroll : 0
    return [{ ...next, detail: fresh, detailScroll: scroll }, [...effects, load]]
  }
  return affectsDetail(action, detail) ? [next, [...effects, load]] : [next, effects]
}

function affectsDetail(action: Action, { id }: Detail): boolean {
  if (action.type !== 'messages') return false
  return action.batch.some(
    ({ message }) => objectIdOf(message) === id || ('delivery' in message && message.delivery.id === id),
  )
}
