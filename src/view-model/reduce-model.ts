// Computes the next state and the effects of an action. Pure: it reads no clock and calls no server.

import { omitUndefined } from '../domain/omit-undefined.ts'
import type { AttemptOfMessage, DetailRequest, Effect } from './effect.ts'
import { type Detail, type Model, NOTHING_READ, type Notice, type RowsRead } from './model.ts'
import type { CreatedObject, ModelAction } from './model-action.ts'
import { advanceTo, countChanges } from './rates.ts'
import { applyMessages } from './rows/apply-messages.ts'
import { type Lists, mergeLists } from './rows/merge-lists.ts'
import { type MessageId, newRow, type PaneName, type Row, type Tables } from './rows/rows.ts'
import { type ControlMessage, objectIdOf, type ParsedMessage } from './rows/stream-message.ts'
import { selectedRow } from './rows/visible-rows.ts'

/** The rate does not count messages within this many ms after the stream opens, because most of them are old. */
const HISTORY_WINDOW = 1500

/** ms. */
const NOTICE_DURATION = 6000

export type Reduced<M extends Model> = readonly [model: M, effects: readonly Effect[]]

/** Keeps the fields that a renderer added to the model. */
export function reduceModel<M extends Model>(model: M, action: ModelAction): Reduced<M> {
  const [next, loads] = syncDetail(applyAction(model, action), action.type === 'messages' ? action.batch : [])
  const request = isBackAgain(model, action) && loads.length === 0 ? detailRequest(next) : undefined
  return [next, request === undefined ? loads : [...loads, request]]
}

function applyAction<M extends Model>(model: M, action: ModelAction): M {
  switch (action.type) {
    case 'tick':
      return {
        ...model,
        now: action.now,
        notice: model.notice !== undefined && action.now >= model.notice.until ? undefined : model.notice,
        rates: advanceTo(model.rates, Math.floor(action.now / 1000)),
      }
    case 'connection': {
      const historyUntil = action.connection.state === 'open' ? action.now + HISTORY_WINDOW : model.historyUntil
      return {
        ...model,
        connection: action.connection,
        notice: noticeAfter(model, action),
        historyUntil,
        now: action.now,
      }
    }
    case 'clock': {
      const { mode, speed, now } = action.clock
      return { ...model, clock: { mode, speed, now: Date.parse(now), receivedAt: action.now }, now: action.now }
    }
    case 'access':
      return { ...model, readOnly: action.readOnly }
    case 'lists':
      return {
        ...model,
        tables: mergeLists(model.tables, action.lists),
        rowsRead: rowsReadAfter(model.rowsRead, action.lists),
        lastHistoryId: lastHistoryIdAfter(model.lastHistoryId, action.lists),
      }
    case 'reading': {
      const { pane, count } = action
      return pane in model.rowsRead ? { ...model, rowsRead: { ...model.rowsRead, [pane]: count } } : model
    }
    case 'messages':
      return receiveMessages(model, action)
    case 'detail_loaded':
      return { ...model, detail: mergeDetail(model, action) }
    case 'view': {
      const { pane, change } = action
      return { ...model, pane, listViews: { ...model.listViews, [pane]: { ...model.listViews[pane], ...change } } }
    }
    case 'call_started':
      return { ...model, pendingCalls: model.pendingCalls + 1 }
    case 'call_done': {
      const notice: Notice = { text: action.text, style: 'success', until: action.now + NOTICE_DURATION }
      const after = { ...model, notice, pendingCalls: Math.max(0, model.pendingCalls - 1) }
      return action.created === undefined ? after : showCreated(after, action.created)
    }
    case 'notice':
      return { ...model, notice: { text: action.text, style: 'success', until: action.now + NOTICE_DURATION } }
    case 'call_failed': {
      const notice: Notice = { text: action.text, style: 'failure', until: action.now + NOTICE_DURATION * 2 }
      return { ...model, notice, pendingCalls: Math.max(0, model.pendingCalls - 1) }
    }
  }
}

/** When a lost connection is open again, an error is probably outdated. */
function noticeAfter(
  { notice, connection }: Model,
  action: Extract<ModelAction, { type: 'connection' }>,
): Notice | undefined {
  return isBackAgain({ connection }, action) && notice?.style === 'failure' ? undefined : notice
}

/** When a lost connection is open again, the detail may be outdated. */
function isBackAgain({ connection }: Pick<Model, 'connection'>, action: ModelAction): boolean {
  return action.type === 'connection' && connection.state === 'lost' && action.connection.state === 'open'
}

/** Removes the lists that are complete. The lists of a new server are read from the start. */
function rowsReadAfter(before: RowsRead, lists: Lists): RowsRead {
  const reading = lists.fromNewServer === true ? NOTHING_READ : before
  if (lists.complete === false) return reading
  return Object.fromEntries(Object.entries(reading).filter(([pane]) => lists[pane as keyof RowsRead] === undefined))
}

/** A new server counts its ids from the start. */
function lastHistoryIdAfter(before: MessageId | undefined, { lastMessageId, fromNewServer }: Lists): MessageId {
  return before === undefined || fromNewServer === true ? lastMessageId : before
}

function receiveMessages<M extends Model>(model: M, { batch, now }: Extract<ModelAction, { type: 'messages' }>): M {
  return {
    ...model,
    now,
    tables: applyMessages(model.tables, batch, model.lastHistoryId),
    // After a reset the feed reads the lists again.
    rowsRead: batch.some((parsed) => isNewReset(parsed, model)) ? NOTHING_READ : model.rowsRead,
    rates: countChanges(model, batch, now),
    newestMessageId: Number(batch.at(-1)?.id ?? model.newestMessageId),
  }
}

function isNewReset({ id, message }: ParsedMessage, { lastHistoryId = 0 }: Model): boolean {
  return message.kind === 'reset' && Number(id) > lastHistoryId
}

function showCreated<M extends Model>(model: M, created: CreatedObject): M {
  const tables = addCreated(model.tables, created)
  if (model.overlay !== undefined) return { ...model, tables }
  const { pane } = created
  const selectedId = 'payment' in created ? created.payment.id : created.payout.id
  const listViews = { ...model.listViews, [pane]: { ...model.listViews[pane], filter: '', selectedId } }
  return { ...model, tables, pane, listViews }
}

function addCreated(tables: Tables, created: CreatedObject): Tables {
  const { payments, payouts } = tables
  if ('payment' in created) {
    const { id } = created.payment
    if (payments.has(id)) return tables
    return { ...tables, payments: new Map(payments).set(id, newRow({ id, payment: created.payment })) }
  }
  const { id } = created.payout
  return payouts.has(id)
    ? tables
    : { ...tables, payouts: new Map(payouts).set(id, newRow({ id, payout: created.payout })) }
}

function mergeDetail(
  { detail }: Model,
  { pane, id, loaded }: Extract<ModelAction, { type: 'detail_loaded' }>,
): Detail | undefined {
  if (detail === undefined || detail.pane !== pane || detail.id !== id) return detail
  if ('problem' in loaded) return { ...detail, loading: false, problem: loaded.problem }
  return { ...detail, ...loaded, loading: false, problem: undefined }
}

/**
 * Requests the detail of the selected row if another row was selected, or if the row changed. A renderer calls this
 * after changes that are not actions.
 * @param batch the messages that were applied
 */
export function syncDetail<M extends Model>(model: M, batch: readonly ParsedMessage[] = []): Reduced<M> {
  const load = detailRequest(model)
  const { pane, detail } = model
  if (load === undefined) return [detail === undefined ? model : { ...model, detail: undefined }, []]
  const { id } = load
  if (detail?.pane !== pane || detail.id !== id) return [{ ...model, detail: emptyDetail(pane, id) }, [load]]
  return [model, batch.some(({ message }) => concerns(message, id)) ? [load] : []]
}

export function detailRequest(model: Model): DetailRequest | undefined {
  const row = selectedRow(model)
  if (row === undefined) return undefined
  return omitUndefined({ do: 'load' as const, pane: model.pane, id: row.id, attempt: attemptOf(row) })
}

function attemptOf(row: Row): AttemptOfMessage | undefined {
  if (!('message' in row) || row.message.kind !== 'attempt') return undefined
  const { id, attempts_made } = row.message.delivery
  return { delivery_id: id, number: attempts_made }
}

function emptyDetail(pane: PaneName, id: string): Detail {
  return { pane, id, loading: true, events: [], deliveries: [], request: undefined, problem: undefined }
}

function concerns(message: ControlMessage, id: string): boolean {
  return objectIdOf(message) === id || ('delivery' in message && message.delivery.id === id)
}
