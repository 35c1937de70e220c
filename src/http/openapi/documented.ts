// Descriptions of routes and webhooks for the OpenAPI documents.
import type * as z from 'zod'
import type { ApiErrorCode } from '../../domain/errors.ts'

export interface DocumentedResponse {
  readonly description: string
  /** One of the document's `schemas`. Absent: no body. */
  readonly schema?: z.ZodType
  /** Default: `application/json`. */
  readonly media?: string
  readonly example?: unknown
  /** Operations on objects of the response: the `operationId`, and the JSON pointer to the `id` in the response. */
  readonly links?: { readonly [operationId: string]: string }
}

export interface DocumentedRoute {
  readonly operationId: string
  readonly method: string
  /** In the format of the router: `/payments/:id`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Request headers by name. Each schema has a description. */
  readonly headers?: { readonly [name: string]: z.ZodType }
  readonly query?: z.ZodType
  readonly body?: { readonly schema: z.ZodType; readonly required: boolean; readonly example?: unknown }
  /** The parameters of the path by name. Each schema has a description. */
  readonly params?: { readonly [name: string]: z.ZodType }
  /** The responses by status. */
  readonly responses: { readonly [status: number]: DocumentedResponse }
  readonly errors: readonly ApiErrorCode[]
}

/** A request that the server sends to a receiver. */
export interface DocumentedWebhook {
  readonly name: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Request headers by name. Each schema has a description. */
  readonly headers: { readonly [name: string]: z.ZodType }
  readonly body: z.ZodType
  readonly example?: unknown
}

export interface DocumentInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** The description of the bearer token. */
  readonly bearer: string
  /** True: a request without the token may be accepted, too. */
  readonly bearerOptional?: true
  /**
   * The schemas with a name. The schema of each body and response must be one of them. A schema that is not in this list is
   * written inline.
   */
  readonly schemas: Schemas
  readonly webhooks?: readonly DocumentedWebhook[]
}

export type Schemas = { readonly [name: string]: z.ZodType }
