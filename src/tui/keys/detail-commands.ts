// The commands that read the detail of the selected row. If the detail is not loaded yet, the command waits.

import { webhookIssue } from '../../view-model/actions/available-actions.ts'
import { curlText, verifyText } from '../../view-model/actions/copy-text.ts'
import { openResendForm } from '../../view-model/forms/open-form.ts'
import type { Detail } from '../../view-model/model.ts'
import { detailRequest, syncDetail } from '../../view-model/reduce-model.ts'
import { selectedRow } from '../../view-model/rows/visible-rows.ts'
import { withForm, withPendingCall, withWarning } from '../state/changes.ts'
import type { State, Update } from '../state/state.ts'
import { type DetailCommand, issueText } from './key-table.ts'

const COMMANDS = {
  resend: openResend,
  edit_body: editBody,
  compare: toggleComparison,
  verify: verifySignature,
  copy_curl: (state: State, detail: Detail) => copy(state, 'a curl command', curlText(detail, state.url)),
  copy_verify: (state: State, detail: Detail) => copy(state, 'a psp verify command', verifyText(detail)),
} as const satisfies Record<DetailCommand, (state: State, detail: Detail) => Update>

export function isDetailCommand(command: string): command is DetailCommand {
  return command in COMMANDS
}

/** Runs the command, waits for the detail, or shows why the row does not allow the command. */
export function runDetailCommand(state: State, command: DetailCommand): Update {
  const row = selectedRow(state)
  const { pane } = state
  if (row === undefined) return [withWarning(state, 'No row is selected.'), []]
  const issue = command === 'copy_curl' ? undefined : webhookIssue(row, pane)
  if (issue !== undefined) return [withWarning(state, issueText(issue)), []]
  if (command === 'resend' && 'event_id' in row) {
    return [withForm(state, openResendForm(row.event_id, row.event, row.url)), []]
  }
  const [synced] = syncDetail(state)
  const { detail } = synced
  const request = detailRequest(synced)
  if (detail === undefined || request === undefined) return [state, []]
  if (detail.loading) {
    return [{ ...synced, waiting: { command, pane, id: row.id } }, [{ ...request, immediately: true }]]
  }
  const isEmpty = detail.deliveries.length === 0 && detail.request === undefined
  if (detail.problem !== undefined && isEmpty) return [withWarning(state, detail.problem), []]
  return COMMANDS[command](state, detail)
}

/** Runs the command that waited for the detail, if the detail is loaded now. */
export function continueWaiting(state: State): Update {
  const { waiting, detail } = state
  if (waiting === undefined || detail?.pane !== waiting.pane || detail.id !== waiting.id || detail.loading)
    return [state, []]
  const notice = state.notice?.text === LOADING ? undefined : state.notice
  return runDetailCommand({ ...state, waiting: undefined, notice }, waiting.command)
}

/** Drops the waiting command if its row is no longer selected, or if an overlay was opened. */
export function dropOutdatedWaiting(state: State): State {
  const { waiting, pane, overlay } = state
  if (waiting === undefined) return state
  const isCurrent = overlay === undefined && pane === waiting.pane && selectedRow(state)?.id === waiting.id
  return isCurrent ? state : { ...state, waiting: undefined }
}

const LOADING = 'Loading the detail of this row…'

/** Shows why a waiting command has no effect yet. */
export function showLoading(state: State): State {
  return state.waiting === undefined || state.notice !== undefined ? state : withWarning(state, LOADING)
}

const NOT_SENT = 'This row has no webhook that was sent. Press 3 to show the webhooks.'

function openResend(state: State, { deliveries: [delivery] }: Detail): Update {
  if (delivery === undefined) return [withWarning(state, NOT_SENT), []]
  return [withForm(state, openResendForm(delivery.event_id, delivery.event, delivery.url)), []]
}

/** Edits the body of the newest attempt of the selected delivery, or of the newest delivery of the object. */
function editBody(state: State, { deliveries }: Detail): Update {
  const delivery = deliveries.find(({ attempts }) => attempts.length > 0)
  if (delivery === undefined) return [withWarning(state, NOT_SENT), []]
  const { event_id, event, endpoint_id, url, attempts } = delivery
  const body = attempts.at(-1)?.request.body
  if (body === undefined || body === null || body === '')
    return [withWarning(state, 'The body of this webhook is not text, or it is no longer kept.'), []]
  return [state, [{ do: 'edit_body', event_id, event, endpoint_id: endpoint_id ?? undefined, url, body }]]
}

function verifySignature(state: State, { pane, deliveries }: Detail): Update {
  const delivery = deliveries.find(({ attempts }) => attempts.length > 0)
  if (delivery === undefined)
    return [withWarning(state, 'No attempt of this row was sent, so there is no signature.'), []]
  // A line of the stream is one attempt. Otherwise the server chooses the newest one.
  const number = pane === 'stream' ? delivery.attempts.at(-1)?.number : undefined
  const attempt = number === undefined ? {} : { attempt: number }
  return [withPendingCall(state), [{ do: 'verify', delivery_id: delivery.id, ...attempt }]]
}

function toggleComparison(state: State, { deliveries }: Detail): Update {
  if (state.showsComparison) return [{ ...state, showsComparison: false, detailScroll: 0 }, []]
  const hasTwo = deliveries.some(({ attempts }) => attempts.length > 1)
  if (!hasTwo) return [withWarning(state, 'No delivery of this row has two attempts to compare.'), []]
  return [{ ...state, showsComparison: true, focus: 'detail', detailScroll: 0, scrollToFailure: false }, []]
}

function copy(state: State, what: string, text: string | undefined): Update {
  if (text === undefined) return [withWarning(state, `This row has no request to copy as ${what}.`), []]
  return [state, [{ do: 'copy', text, what }]]
}
