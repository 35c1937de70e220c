// Routes and zod schemas to an OpenAPI 3.1 document. Loaded only when a document is asked for.
import * as z from 'zod'
import { API_ERRORS, type ApiErrorCode } from '../../domain/errors.ts'

export interface DocumentedAnswer {
  readonly description: string
  /** A schema of the document's `schemas`, or any other. Absent: no body. */
  readonly schema?: z.ZodType
  /** Default: `application/json`. */
  readonly media?: string
  readonly example?: unknown
  /** Of a stream: a named schema, what each message is. */
  readonly message?: z.ZodType
}

export interface DocumentedRoute {
  readonly operationId: string
  readonly method: string
  /** As the router has it: `/payments/:id`. */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Request headers: name to what it is for, or to a schema that says so. */
  readonly headers?: { readonly [name: string]: string | z.ZodType }
  readonly query?: z.ZodType
  readonly body?: { readonly schema: z.ZodType; readonly required: boolean; readonly example?: unknown }
  /** What the names in the path stand for. Default: an id. */
  readonly inPath?: { readonly [name: string]: string }
  /** Status to answer. */
  readonly answers: { readonly [status: number]: DocumentedAnswer }
  readonly refuses: readonly ApiErrorCode[]
}

/** What the server sends to a receiver of others. */
export interface DocumentedWebhook {
  readonly name: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Request headers: name to what it is for. */
  readonly headers: { readonly [name: string]: string }
  readonly body: z.ZodType
  readonly example?: unknown
}

export interface DocumentAbout {
  readonly title: string
  readonly version: string
  readonly description: string
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  /** What the bearer token is. */
  readonly bearer: string
  /** Schemas that get a name of their own; others are written where they stand. */
  readonly schemas: { readonly [name: string]: z.ZodType }
  readonly webhooks?: readonly DocumentedWebhook[]
}

type Json = { readonly [key: string]: unknown }

export function documentOf(about: DocumentAbout, routes: readonly DocumentedRoute[]): Json {
  const { title, version, description, servers, tags, bearer, webhooks } = about
  const schemas = { Error: errorSchema, ...about.schemas }
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers,
    security: [{ bearer: [] }],
    tags,
    paths,
    ...(webhooks === undefined
      ? {}
      : { webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.name, webhookOf(webhook, schemas)])) }),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: bearer } },
      schemas: namedSchemas(schemas),
    },
  }
}

const CODES = Object.keys(API_ERRORS) as [ApiErrorCode, ...ApiErrorCode[]]

/** Spec 2.7. */
const errorSchema = z.object({
  error: z
    .object({
      code: z
        .enum(CODES)
        .meta({ description: 'For programs; it does not change, but a later version may know more of them.' }),
      message: z.string().meta({ description: 'For people: the cause and the next step.' }),
    })
    .meta({ description: 'Why it was refused.' }),
})

function operationOf(route: DocumentedRoute, schemas: { readonly [name: string]: z.ZodType }): Json {
  const { operationId, tag, summary, description, body } = route
  const parameters = parametersOf(route)
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: { 'application/json': contentOf(body.schema, schemas, body.example) },
          },
        }),
    responses: { ...answersOf(route, schemas), ...refusalsOf(route, schemas) },
  }
}

/** Any 2xx will do; the receiver proves the sender by the signature, not by a token. */
function webhookOf(webhook: DocumentedWebhook, schemas: { readonly [name: string]: z.ZodType }): Json {
  const { operationId, tag, summary, description, headers, body, example } = webhook
  return {
    post: {
      operationId,
      tags: [tag],
      summary,
      description,
      security: [],
      parameters: headerParameters(headers, true),
      requestBody: { required: true, content: { 'application/json': contentOf(body, schemas, example) } },
      responses: { '2XX': { description: 'It was taken; the body is of no interest.' } },
    },
  }
}

function contentOf(schema: z.ZodType, schemas: { readonly [name: string]: z.ZodType }, example: unknown): Json {
  return { schema: schemaJson(schema, schemas), ...(example === undefined ? {} : { example }) }
}

function parametersOf({ path, headers = {}, query, inPath: words = {} }: DocumentedRoute): Json[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: words[name ?? ''] ?? 'Its id.',
    schema: { type: 'string' },
  }))
  return [...inPath, ...headerParameters(headers, false), ...queryParameters(query)]
}

function headerParameters(headers: NonNullable<DocumentedRoute['headers']>, required: boolean): Json[] {
  return Object.entries(headers).map(([name, about]) => {
    const { description, ...schema } =
      typeof about === 'string' ? { description: about, type: 'string' } : schemaJson(about, {})
    return { name, in: 'header', required, description, schema }
  })
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = schemaJson(query, {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }))
}

function answersOf({ answers }: DocumentedRoute, schemas: { readonly [name: string]: z.ZodType }): Json {
  const shown: Record<string, Json> = {}
  for (const [status, { description, schema, media = 'application/json', example, message }] of Object.entries(
    answers,
  )) {
    shown[status] = { description, ...(schema === undefined ? {} : { content: { [media]: content(schema) } }) }
    function content(whole: z.ZodType): Json {
      const { schema, ...rest } = contentOf(whole, schemas, example)
      if (message === undefined) return { schema, ...rest }
      // What the text holds; a stream of them, for which OpenAPI has a word from 3.2 on.
      return { schema: { ...(schema as Json), contentMediaType: media, contentSchema: schemaJson(message, schemas) } }
    }
  }
  return shown
}

/** Refusals by status; the description names the codes. */
function refusalsOf({ refuses }: DocumentedRoute, schemas: { readonly [name: string]: z.ZodType }): Json {
  const shown: Record<string, Json> = {}
  for (const status of [...new Set(refuses.map((code) => API_ERRORS[code].status))].sort()) {
    const codes = [...new Set(refuses)].filter((code) => API_ERRORS[code].status === status)
    shown[status] = {
      description: codes.map((code) => `\`${code}\`: ${API_ERRORS[code].message}`).join('\n\n'),
      ...(status === 429 ? { headers: { 'Retry-After': RETRY_AFTER } } : {}),
      content: {
        'application/json': {
          schema: schemaJson(errorSchema, schemas),
          examples: Object.fromEntries(codes.map((code) => [code, { value: refusal(code) }])),
        },
      },
    }
  }
  return shown
}

function refusal(code: ApiErrorCode): Json {
  return { error: { code, message: API_ERRORS[code].message } }
}

const RETRY_AFTER = { description: 'Whole seconds, at least 1.', schema: { type: 'integer', minimum: 1 } }

function namedSchemas(schemas: { readonly [name: string]: z.ZodType }): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id })
  const { schemas: written } = z.toJSONSchema(registry, { ...OPTIONS, uri: (id) => `${COMPONENTS}${id}` })
  return Object.fromEntries(Object.entries(written).map(([id, { $schema, $id, ...json }]) => [id, json]))
}

/** A reference where the schema has a name, its JSON otherwise. */
function schemaJson(schema: z.ZodType, schemas: { readonly [name: string]: z.ZodType }): Json {
  const name = Object.keys(schemas).find((id) => schemas[id] === schema)
  if (name !== undefined) return { $ref: `${COMPONENTS}${name}` }
  const { $schema, ...json } = z.toJSONSchema(schema, OPTIONS)
  return json
}

const COMPONENTS = '#/components/schemas/'

/**
 * As the caller writes it: fields with a default may be left out. What JSON Schema cannot say is left open. A default is
 * told in words: by the keyword, generators take the field for one that must be there.
 */
const OPTIONS = {
  io: 'input',
  unrepresentable: 'any',
  override({ jsonSchema }: { jsonSchema: { default?: unknown; description?: string } }) {
    if (jsonSchema.default === undefined) return
    const words = `Default ${JSON.stringify(jsonSchema.default)}.`
    jsonSchema.description = jsonSchema.description === undefined ? words : `${jsonSchema.description} ${words}`
    delete jsonSchema.default
  },
} as const
