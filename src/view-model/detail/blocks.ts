// The detail of a row as data, in display order. Text of merchants and receivers is not sanitized.
import type { MessageView } from '../../client/request-types.ts'
import type { DeliveryMark } from '../rows/delivery-mark.ts'

/** How a renderer emphasizes text. */
export type Tone = 'plain' | 'dim' | 'bold' | 'accent' | 'success' | 'warning' | 'failure'

export interface StyledText {
  readonly text: string
  readonly tone: Tone
  /** A renderer adds the symbol of the status. */
  readonly isStatus?: true
}

export interface DetailView {
  readonly title: string
  /** Text next to the title, such as a time. */
  readonly note: string
  /** Why the data could not be loaded. */
  readonly problem: string | undefined
  /** The line below the title: status, amount and method. */
  readonly summary: readonly StyledText[]
  readonly blocks: readonly Block[]
}

/** Why data is not shown: `loading`, or `lost` if the server no longer has it. */
export type Missing = 'loading' | 'lost'

export type Block =
  | { readonly kind: 'fields'; readonly title: string; readonly rows: readonly FieldRow[] }
  /** Lines of short texts, such as refunds. */
  | { readonly kind: 'lines'; readonly title: string; readonly lines: readonly (readonly StyledText[])[] }
  | TimelineBlock
  | {
      readonly kind: 'webhooks'
      readonly title: string
      readonly loading: boolean
      readonly events: readonly EventBlock[]
    }
  | {
      readonly kind: 'attempts'
      readonly title: string
      readonly attempts: readonly AttemptBlock[]
      readonly missing: Missing | undefined
    }
  /** The body of a request or response. */
  | { readonly kind: 'body'; readonly title: string; readonly body: BodyContent | Missing }
  | { readonly kind: 'json'; readonly text: string }

export interface FieldRow {
  readonly label: string
  readonly value: string
  readonly tone: Tone
}

export interface TimelineBlock {
  readonly kind: 'timeline'
  readonly title: string
  readonly steps: readonly StepBlock[]
  /** Why steps after the first one are missing. */
  readonly missing: Missing | undefined
}

export interface StepBlock {
  /** RFC 3339, on the sandbox's clock. */
  readonly at: string
  readonly label: string
  /** The status in the label, such as `failed` in `refund failed`. */
  readonly status: string
  readonly tone: Tone
  readonly details: string
  /** ms since the previous step. */
  readonly gap: number
}

export interface EventBlock {
  readonly id: string
  readonly event: string
  readonly at: string
  /** Empty if no endpoint receives the event. */
  readonly deliveries: readonly DeliveryBlock[]
}

export interface DeliveryBlock {
  readonly id: string
  readonly url: string
  readonly mark: DeliveryMark | undefined
  readonly status: string
  readonly tone: Tone
  readonly nextAttemptAt: string | undefined
  readonly attempts: readonly AttemptBlock[]
}

export interface AttemptBlock {
  readonly deliveryId: string
  readonly number: number
  /** RFC 3339, on the sandbox's clock. */
  readonly at: string
  /** The HTTP status, or why there was no response. */
  readonly result: string
  readonly tone: Tone
  readonly ms: number
  /** True if the attempt was started manually, in addition to the retry schedule. */
  readonly isManual: boolean
  /** An error in addition to a status. */
  readonly error: string | undefined
  readonly fault: string | undefined
  readonly request: MessageContent
  readonly response: MessageContent | undefined
}

/** A request or response. */
export interface MessageContent {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: BodyContent
  readonly note: string | undefined
}

/** Base64 keeps the bytes of a body that is not UTF-8. The text is empty if there is no body. */
export interface BodyContent {
  readonly text: string
  readonly isBase64: boolean
}

type Value = string | number | null | undefined

/** Omits fields without a value. */
export function fieldRows(rows: readonly (readonly [label: string, value: Value, tone?: Tone])[]): readonly FieldRow[] {
  return rows.flatMap(([label, value, tone = 'plain']) => {
    const text = value === null || value === undefined ? '' : String(value)
    return text.trim() === '' ? [] : [{ label, value: text, tone }]
  })
}

export function bodyContent(body: Pick<MessageView, 'body' | 'body_b64'> | null | undefined): BodyContent {
  if (body?.body) return { text: body.body, isBase64: false }
  return body?.body_b64 === undefined ? { text: '', isBase64: false } : { text: body.body_b64, isBase64: true }
}

export function messageContent({ headers = {}, note, ...body }: MessageView): MessageContent {
  const pairs: MessageContent['headers'] = Array.isArray(headers) ? headers : Object.entries(headers)
  return { headers: pairs, body: bodyContent(body), note }
}
