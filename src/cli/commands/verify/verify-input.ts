// Reads the input of `psp verify --delivery`.
import { existsSync } from 'node:fs'
import type { MessageView } from '../../../client/request-types.ts'
import { isSuccess } from '../../../domain/http-response.ts'
import { omitUndefined } from '../../../domain/omit-undefined.ts'
import { fixForStatus, SIGNATURE_STATUSES } from '../../../domain/remediation.ts'
import { sanitizeLine, truncateChars } from '../../../terminal/sanitize.ts'
import { usageError } from '../../failure.ts'
import { resolvePath } from '../../input/files.ts'
import { readText } from '../../input/read-input.ts'
import type { Session } from '../../session.ts'
import { resolveId } from '../../target/resolve-objects.ts'

export interface Subject {
  readonly body: Buffer
  /** Value of X-PSP-Signature; `undefined` if it was missing. */
  readonly header: string | undefined
  /** The time at which the webhook was sent, in ms; absent if unknown. */
  readonly at?: number
  readonly eventId?: string
  /** The response of the receiver, and the value for `--delivery`; absent if unknown. */
  readonly response?: { readonly delivery: string; readonly status: number; readonly text: string }
}

/** A line of `psp listen --json`: an event, or the response to it. */
interface LineDocument {
  readonly type?: string
  readonly at?: string
  readonly event_id?: string
  readonly delivery_id?: string
  readonly attempt?: number
  readonly status?: number | null
  readonly response_body?: string
  readonly headers?: readonly (readonly [string, string])[] | { readonly [name: string]: string }
  readonly body_b64?: string
}

/** Reads the last event of a `psp listen --json` file; `undefined` if the file does not exist. */
export async function fileSubject(path: string, session: Session): Promise<Subject | undefined> {
  if (path !== '-' && !existsSync(resolvePath(session.host, path))) return undefined
  const text = await readText(path, session)
  const lines = text.split('\n').map(documentOf)
  const event = lines.findLast((line) => typeof line?.body_b64 === 'string')
  if (event?.body_b64 === undefined) {
    throw usageError(
      `${path} contains no event.`,
      'It must contain a line of `psp listen --json` with headers and body_b64.',
    )
  }
  return {
    body: Buffer.from(event.body_b64, 'base64'),
    header: signatureOf(event.headers),
    ...timeOf(event.at),
    ...omitUndefined({ eventId: event.event_id }),
    ...responseOf(path, event, lines),
  }
}

/** Reads the last attempt of a delivery in the sandbox. */
export async function sandboxSubject(given: string, session: Session): Promise<Subject> {
  if (!/^dlv_\w+(?:…|\.\.\.)?$/.test(given)) {
    throw usageError(
      `${given} is neither an existing file nor the id of a delivery.`,
      'Check the path or the id. Ids begin with dlv_; `psp webhooks deliveries list` shows them.',
    )
  }
  const { client } = await session.target()
  const id = await resolveId(client.control.deliveries.list, given)
  const delivery = await client.control.deliveries.get(id)
  const attempt = delivery.attempts.at(-1)
  if (attempt === undefined) {
    throw usageError(
      `Delivery ${id} has no attempt yet.`,
      'Wait for it, or move the clock: psp clock advance --until-idle',
    )
  }
  const { headers, body, body_b64 } = attempt.request
  return {
    body: body_b64 === undefined ? Buffer.from(body ?? '') : Buffer.from(body_b64, 'base64'),
    header: signatureOf(headers),
    eventId: delivery.event_id,
    ...timeOf(attempt.sent_at),
    ...(typeof attempt.status === 'number'
      ? { response: { delivery: id, status: attempt.status, text: attempt.response?.body ?? '' } }
      : {}),
  }
}

function documentOf(line: string): LineDocument | undefined {
  try {
    return (JSON.parse(line) as LineDocument | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Finds the response to the same attempt, if the file contains it. */
function responseOf(path: string, event: LineDocument, lines: readonly (LineDocument | undefined)[]) {
  const { delivery_id, attempt } = event
  const found = lines.findLast(
    (line) => line?.type === 'attempt' && line.delivery_id === delivery_id && line.attempt === attempt,
  )
  if (delivery_id === undefined || typeof found?.status !== 'number') return {}
  return { response: { delivery: path, status: found.status, text: found.response_body ?? '' } }
}

function signatureOf(headers: MessageView['headers'] = []): string | undefined {
  const list = Array.isArray(headers) ? headers : Object.entries(headers)
  return list.find(([name]) => name.toLowerCase() === 'x-psp-signature')?.[1]
}

function timeOf(at: string | undefined): { at?: number } {
  const ms = Date.parse(at ?? '')
  return Number.isNaN(ms) ? {} : { at: ms }
}

const MAX_EXCERPT = 240

/**
 * Returns a possible cause if the receiver rejected a webhook whose signature is valid.
 * @param isReceivedBody true for the body that the receiver has read, false for the one that psp has sent
 */
export function rejectionNote({ response }: Subject, isReceivedBody: boolean): string | undefined {
  if (response === undefined || isSuccess(response.status)) return undefined
  const text = sanitizeLine(response.text.replace(/\s+/g, ' ').trim())
  const excerpt = truncateChars(text, MAX_EXCERPT)
  const handlerText = `Your handler returned ${response.status}${excerpt === '' ? '' : `: ${excerpt.replace(/\.$/, '')}`}${/[?!]$/.test(excerpt) ? '' : '.'}`
  if (!SIGNATURE_STATUSES.includes(response.status)) return `${handlerText} ${fixForStatus(response.status)}`
  if (isReceivedBody)
    return `${handlerText} The body and this secret are correct. Check how your handler computes and compares the hash.`
  return `${handlerText} The sent bytes and signature are valid. Check your secret: with --secret, pass the one that your application uses. Or save the body that your application verified, and check that file: \`psp verify --delivery ${response.delivery} body.json --explain\`.`
}
