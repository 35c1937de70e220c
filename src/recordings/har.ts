// HAR 1.2: the entries of a file, and their bodies as bytes. Fields that a tool left out get empty values. HAR readers
// ignore fields whose names begin with `_`.
import * as z from 'zod'
import { omitUndefined } from '../domain/omit-undefined.ts'

/** A field that may be absent or null. */
const optional = <T extends z.ZodType>(schema: T) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()

const text = z.string().catch('')
/** Any other type is an error, because a body must not be lost. */
const body = optional(z.string())
const base64 = z.literal('base64').optional().catch(undefined)
const size = z.number().catch(-1)
const header = z.object({ name: text, value: text })
const headers = z.array(header).catch([])

/**
 * HAR 1.2 has no encoding for requests. `_encoding` is `base64` if the body is not UTF-8. Some tools write `encoding`.
 */
const postData = z
  .object({ mimeType: text, text: body, _encoding: base64, encoding: base64 })
  .transform(({ mimeType, text: content = '', _encoding, encoding }) => ({
    mimeType,
    text: content,
    ...omitUndefined({ _encoding: _encoding ?? encoding }),
  }))

const request = z.object({
  method: z.string(),
  url: z.string(),
  httpVersion: text,
  headers,
  queryString: headers,
  cookies: headers,
  headersSize: size,
  bodySize: size,
  postData: optional(postData),
})

const content = z.object({ size, mimeType: text, text: body, encoding: body })

const response = z.object({
  /** 0 if there was no response. */
  status: optional(z.number()).transform((status) => status ?? 0),
  statusText: text,
  httpVersion: text,
  headers,
  cookies: headers,
  content: optional(content).transform((found) => found ?? { size: -1, mimeType: '' }),
  redirectURL: text,
  headersSize: size,
  bodySize: size,
})

const NO_RESPONSE = response.parse({})

const signature = z.object({
  result: z.enum(['valid', 'invalid', 'unchecked']),
  /** A hash that shows whether a given secret is the one that made the signature valid. */
  secret_check: z.string().max(60).optional(),
  /** Why the signature was invalid: a cause of `psp verify`. */
  cause: z.string().max(60).optional(),
  why: z.string().max(2000).optional(),
  /** Whether the body in the entry is masked, so that the signature does not match it. */
  is_masked: z.boolean(),
})

export const harEntry = z.object({
  /** RFC 3339 with milliseconds. */
  startedDateTime: text,
  /** In ms. NaN for a value that is not a number. Only a comparison needs the time. */
  time: z.number().default(0).catch(Number.NaN),
  request,
  response: optional(response).transform((found) => found ?? NO_RESPONSE),
  cache: z.object({}).catch({}),
  /** In ms. Recordings of other tools may lack them. */
  timings: z.object({ send: size, wait: size, receive: size }).optional().catch(undefined),
  /** For a webhook, the signature check of the bytes that were received. */
  _signature: signature.optional().catch(undefined),
  /** The client closed the connection before the end of the response, for example of an event stream. */
  _closed_by: z.literal('client').optional().catch(undefined),
  /** Why there was no complete response, and which bodies are not stored. */
  comment: z.string().optional().catch(undefined),
})

export type HarEntry = z.infer<typeof harEntry>
export type HarHeader = z.infer<typeof header>
export type HarPostData = z.infer<typeof postData>
export type HarContent = z.infer<typeof content>
export type RecordedSignature = z.infer<typeof signature>

export function requestBytes({ postData: sent }: HarEntry['request']): Buffer | undefined {
  return sent && Buffer.from(sent.text, sent._encoding ?? 'utf8')
}

export function responseBytes({ content: received }: HarEntry['response']): Buffer | undefined {
  if (received.text === undefined) return undefined
  return Buffer.from(received.text, received.encoding === 'base64' ? 'base64' : 'utf8')
}
