// The body of a webhook as the editor shows it, and as it is sent after it was edited.
import { MAX_EDITED_BODY } from '../../domain/delivery.ts'
import { compactJson, formatJson, isJson } from '../../view-model/detail/json-text.ts'
import type { Dialog } from '../../view-model/model.ts'

/** The webhook whose body is edited. */
export interface EditBody {
  readonly do: 'edit_body'
  readonly event_id: string
  readonly event: string
  /** `undefined` if the webhook was sent to a `webhook_url` or to the URL of a replay. */
  readonly endpoint_id: string | undefined
  readonly url: string
  readonly body: string
}

/** The saved text, or why there is none. */
export type EditResult = { readonly text: string } | { readonly problem: string }

/** Returns the body for the editor. JSON on one line is indented. */
export function editableText(body: string): string {
  return `${body.includes('\n') ? body : formatJson(body)}\n`
}

/** Returns the question to ask before the edited body is sent, or why it is not sent. */
export function askToSend(edit: EditBody, result: EditResult): Dialog | { readonly problem: string } {
  if ('problem' in result) return result
  // An editor adds a line feed at the end.
  const text = result.text.replace(/\r?\n$/, '')
  if (text.trim() === '') return { problem: 'The file was empty, so nothing was sent.' }
  const isValid = isJson(text)
  const body = isValid && !edit.body.includes('\n') ? compactJson(text) : text
  if (body === edit.body) return { problem: 'The body was not changed, so nothing was sent.' }
  if (body.length > MAX_EDITED_BODY) {
    return { problem: `The body is longer than ${MAX_EDITED_BODY} characters, so nothing was sent.` }
  }
  const { event_id, event, endpoint_id, url } = edit
  const question = `Send the edited body of ${event} to ${url}?${isValid ? '' : ' It is not valid JSON.'}`
  const target = endpoint_id === undefined ? { url } : { endpoint_id }
  return { kind: 'confirm', question, effect: { do: 'replay', event_id, ...target, body } }
}
