import { asObject, asText, type JsonObject } from '../../domain/json-values.ts'

export interface ObservedMessage {
  readonly kind: string
  /** The object that the message is about: a payment, a payout or a refund. */
  readonly id: string
  /** The payment of a refund, otherwise the object itself. Only messages of one group are ordered. */
  readonly group: string
  /** The kind with the status. */
  readonly label: string
  readonly data: JsonObject
  readonly payload: JsonObject
  /** ms since the Unix epoch, by the clock of the service. NaN if the message has no time. */
  readonly at: number
  /** The names of the lines: `event`, `data`. */
  readonly fields: readonly string[]
}

/** Parses an event stream. Drops messages that are not of the API, and a message without its final empty line. */
export function observedMessages(text = ''): ObservedMessage[] {
  return text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .slice(0, -1)
    .flatMap((block) => {
      const lines = block.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
      const data = lines
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n')
      const names = lines.map((line) => line.split(':', 1)[0] ?? '')
      return messageOf(data, names) ?? []
    })
}

function messageOf(data: string, fields: readonly string[]): ObservedMessage | undefined {
  let parsed: JsonObject | undefined
  try {
    parsed = asObject(JSON.parse(data))
  } catch {
    return undefined
  }
  const payload = asObject(parsed?.['payload'])
  const kind = asText(parsed?.['kind'])
  const id = asText(payload?.['id'])
  const group = asText(payload?.['payment_id']) ?? id
  if (parsed === undefined || payload === undefined || kind === undefined || group === undefined) return undefined
  const status = asText(payload['status'])
  return {
    kind,
    id: id ?? group,
    group,
    label: status === undefined ? kind : `${kind} ${status}`,
    data: parsed,
    payload,
    at: Date.parse(asText(parsed['at']) ?? ''),
    fields,
  }
}
