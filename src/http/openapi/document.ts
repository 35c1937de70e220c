// Creates an OpenAPI 3.1 document from routes and schemas. Loaded only when a document is requested.
import type * as z from 'zod'
import type { ApiErrorCode } from '../../domain/errors.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { ERROR_SCHEMAS, errorResponses } from './error-responses.ts'
import { type Json, type Schemas, type SchemaWriter, schemaWriter } from './schema-json.ts'

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
   * The schemas with a name. A body or a response whose schema is not in this list is an error. A parameter is always
   * written inline, and so is a nested schema that is not in this list.
   */
  readonly schemas: Schemas
  readonly webhooks?: readonly DocumentedWebhook[]
}

/** The header is not a parameter of each operation, because generated clients would then ask for it in every call. */
const DRY_RUN =
  'Every operation that writes accepts the header `X-PSP-Dry-Run: true`: it returns the response or error, and changes nothing.'

export function openApiDocument(about: DocumentInfo, routes: readonly DocumentedRoute[]): Json {
  const { title, version, description, servers, tags, bearer, bearerOptional, webhooks } = about
  const unnamed = [
    ...routes.flatMap(({ params = {}, headers = {}, query }) => [
      ...Object.values({ ...params, ...headers }),
      ...(query === undefined ? [] : [query]),
    ]),
    ...(webhooks ?? []).flatMap(({ headers }) => Object.values(headers)),
  ]
  const writer = schemaWriter({ ...ERROR_SCHEMAS, ...about.schemas }, unnamed)
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, writer) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: `${description} ${DRY_RUN}`,
      contact: { name: 'psp-sandbox' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    security: [...(bearerOptional === true ? [{}] : []), { bearer: [] }],
    tags,
    paths,
    ...(webhooks === undefined
      ? {}
      : { webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, webhookOf(webhook, writer)])) }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: bearer } },
      schemas: writer.components,
    },
  }
}

function operationOf(route: DocumentedRoute, writer: SchemaWriter): Json {
  const { operationId, tag, summary, description, body, errors } = route
  const parameters = [
    ...pathParameters(route, writer),
    ...headerParameters(route.headers ?? {}, false, writer),
    ...queryParameters(route.query, writer),
  ]
  return {
    operationId,
    tags: [tag],
    summary,
    ...omitUndefined({
      description,
      parameters: parameters.length === 0 ? undefined : parameters,
      requestBody: body && {
        required: body.required,
        content: { 'application/json': contentOf(body.schema, body.example, writer) },
      },
    }),
    responses: { ...responsesOf(route, writer), ...errorResponses(errors, writer) },
  }
}

/** Any 2xx is a success. `security` is empty, because the sender is identified by the signature, not by a token. */
function webhookOf(webhook: DocumentedWebhook, writer: SchemaWriter): Json {
  const { operationId, tag, summary, description, headers, body, example } = webhook
  return {
    post: {
      operationId,
      tags: [tag],
      summary,
      description,
      security: [],
      parameters: headerParameters(headers, true, writer),
      requestBody: { required: true, content: { 'application/json': contentOf(body, example, writer) } },
      responses: { '2XX': { description: 'The event was received. The body is ignored.' } },
    },
  }
}

function contentOf(schema: z.ZodType, example: unknown, writer: SchemaWriter): Json {
  return omitUndefined({ schema: writer.reference(schema), example })
}

function pathParameters({ path, params = {} }: DocumentedRoute, writer: SchemaWriter): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = params[name]
    if (schema === undefined) throw new Error(`The path ${path} has no schema for its parameter ${name}.`)
    return parameterOf('path', name, true, writer.inline(schema))
  })
}

function headerParameters(headers: { readonly [name: string]: z.ZodType }, required: boolean, writer: SchemaWriter) {
  return Object.entries(headers).map(([name, schema]) => parameterOf('header', name, required, writer.inline(schema)))
}

function queryParameters(query: z.ZodType | undefined, writer: SchemaWriter): Json[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = writer.inline(query) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => parameterOf('query', name, required.includes(name), schema))
}

function parameterOf(place: string, name: string, required: boolean, json: Json): Json {
  const { description, ...schema } = json
  return omitUndefined({ name, in: place, required, description, schema })
}

function responsesOf({ responses }: DocumentedRoute, writer: SchemaWriter): Json {
  const written: Record<string, Json> = {}
  for (const [status, response] of Object.entries(responses)) {
    const { description, schema, media = 'application/json', example, links = {} } = response
    const content = schema === undefined ? {} : { content: { [media]: contentOf(schema, example, writer) } }
    written[status] = { description, ...content, ...linksOf(links) }
  }
  return written
}

function linksOf(links: { readonly [operationId: string]: string }): Json {
  const entries = Object.entries(links).map(([operationId, place]) => [
    operationId,
    { operationId, parameters: { id: `$response.body#${place}` } },
  ])
  return entries.length === 0 ? {} : { links: Object.fromEntries(entries) }
}
