// The schema of the attempts in a stored delivery. `Attempt` in `domain/delivery.ts` explains the fields.
import * as z from 'zod'
import { time } from './row-formats.ts'

const text = z.string()

const header = z.tuple([text, text])
const recorded = z.strictObject({
  text: text.exactOptional(),
  b64: text.exactOptional(),
  truncated: z.literal(true).exactOptional(),
  note: text.exactOptional(),
})

/** When a request was sent, how long it took, and the response or the failure. */
const exchange = {
  sent_at: time,
  ms: z.number().min(0),
  status: z.int().exactOptional(),
  error: text.exactOptional(),
  response_headers: z.array(header).exactOptional(),
  response_body: recorded.exactOptional(),
}

export const attempt = z.strictObject({
  ...exchange,
  number: z.int().min(1),
  at: time,
  manual: z.literal(true).exactOptional(),
  fault: text.exactOptional(),
  fault_ids: z.array(text).exactOptional(),
  request_headers: z.array(header),
  request_body: recorded.exactOptional(),
  copies: z.array(z.strictObject(exchange)).exactOptional(),
})
