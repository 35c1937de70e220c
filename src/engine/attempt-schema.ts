// The schema of the attempts in a stored delivery.
import * as z from 'zod'
import { LAST_RFC3339_INSTANT } from '../domain/time.ts'

/** A stored time in ms. */
export const time = z.int().min(0).max(LAST_RFC3339_INSTANT)
const text = z.string()

const header = z.tuple([text, text])
const recorded = z.strictObject({
  text: text.exactOptional(),
  b64: text.exactOptional(),
  truncated: z.literal(true).exactOptional(),
  note: text.exactOptional(),
})

const copy = z.strictObject({
  sent_at: time,
  ms: z.number().min(0),
  status: z.int().exactOptional(),
  error: text.exactOptional(),
  response_headers: z.array(header).exactOptional(),
  response_body: recorded.exactOptional(),
})

export const attempt = z.strictObject({
  number: z.int().min(1),
  at: time,
  sent_at: time,
  ms: z.number().min(0),
  status: z.int().exactOptional(),
  error: text.exactOptional(),
  manual: z.literal(true).exactOptional(),
  fault: text.exactOptional(),
  fault_ids: z.array(text).exactOptional(),
  request_headers: z.array(header),
  request_body: recorded.exactOptional(),
  response_headers: z.array(header).exactOptional(),
  response_body: recorded.exactOptional(),
  copies: z.array(copy).exactOptional(),
})
