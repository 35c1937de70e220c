// Documents error responses: one for each status, with its error codes.
import * as z from 'zod'
import { API_ERRORS, type ApiErrorCode } from '../../domain/errors.ts'
import type { Json, SchemaWriter } from './schema-json.ts'

const CODES = Object.keys(API_ERRORS) as [ApiErrorCode, ...ApiErrorCode[]]

const errorDetail = z
  .object({
    code: z
      .enum(CODES)
      .meta({ description: 'For programs. The meaning of a code never changes. Later versions may add codes.' }),
    message: z.string().meta({ description: 'For people: the cause and the next step.' }),
  })
  .meta({ description: 'Why the request was refused.' })

/** Spec 2.7. */
const apiError = z.object({ error: errorDetail })

export const ERROR_SCHEMAS = { ApiError: apiError, ApiErrorDetail: errorDetail }

/** Spec 5.5 gives signature errors two statuses; a setting chooses. */
const SIGNATURE_CODES: readonly ApiErrorCode[] = ['signature_required', 'invalid_signature']

/** Returns the responses by status. Each description lists the codes. */
export function errorResponses(errors: readonly ApiErrorCode[], writer: SchemaWriter): Json {
  const codes = [...new Set(errors)]
  const statuses = [...new Set(codes.flatMap(statusesOf))].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      errorResponse(
        status,
        codes.filter((code) => statusesOf(code).includes(status)),
        writer,
      ),
    ]),
  )
}

function statusesOf(code: ApiErrorCode): readonly number[] {
  return SIGNATURE_CODES.includes(code) ? [400, 401] : [API_ERRORS[code].status]
}

function errorResponse(status: number, codes: readonly ApiErrorCode[], writer: SchemaWriter): Json {
  const headers = HEADERS[status]
  return {
    description: codes.map((code) => `\`${code}\`: ${API_ERRORS[code].message}`).join('\n\n'),
    ...(headers === undefined ? {} : { headers }),
    content: {
      'application/json': {
        schema: writer.reference(apiError),
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  }
}

function exampleOf(code: ApiErrorCode): Json {
  return { error: { code, message: API_ERRORS[code].message } }
}

const HEADERS: { readonly [status: number]: Json } = {
  401: { 'WWW-Authenticate': { description: 'The scheme to use.', required: true, schema: { const: 'Bearer' } } },
  405: {
    Allow: {
      description: 'The methods of the path.',
      required: true,
      schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
    },
  },
  429: { 'Retry-After': { description: 'Whole seconds, at least 1.', schema: { type: 'integer', minimum: 1 } } },
}
