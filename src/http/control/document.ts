// Creates the OpenAPI document of the control API from its routes. Loaded only when the document is requested.

import * as z from 'zod'
import { capitalize } from '../../domain/characters.ts'
import type { ApiErrorCode } from '../../domain/errors.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { API_VERSION } from '../../domain/version.ts'
import { type DocumentedResponse, type DocumentedRoute, openApiDocument } from '../openapi/document.ts'
import type { Schemas } from '../openapi/schema-json.ts'
import * as values from '../value-schemas.ts'
import * as deliverySchemas from './delivery-schemas.ts'
import { BODY_PARTS, DOCUMENTED_BODIES } from './documented-bodies.ts'
import * as controlSchemas from './object-schemas.ts'
import { RESPONSES } from './response-schemas.ts'
import type { ControlRoute } from './route.ts'
import { STREAM_SCHEMAS } from './stream-schemas.ts'

/** The tags, each with the first segments of its paths. */
const TAGS: readonly (readonly [tag: string, description: string, ...parts: string[]])[] = [
  ['Sandbox', 'Health, settings and the clock.', 'health', 'settings', 'clock', 'openapi.json'],
  [
    'State',
    'Reset, snapshots, export and import. Reset, restore and import change the state in one step.',
    'reset',
    'snapshots',
    'export',
    'import',
  ],
  [
    'Shops',
    'Shops, their keys and their webhook endpoints: what a merchant sets in the dashboard of the real service.',
    'shops',
    'keys',
    'endpoints',
  ],
  ['Objects', 'Payments, payouts and refunds of all shops, and actions on them.', 'payments', 'payouts', 'refunds'],
  ['Webhooks', 'Events, deliveries and listeners.', 'events', 'imported-events', 'deliveries', 'listeners', 'trigger'],
  ['Simulator', 'Rules for outcomes, and faults of the transport.', 'rules', 'faults'],
  ['Watching', 'The request log and the stream of all messages.', 'requests', 'stream'],
]

/** The schemas inside responses that have a name in the document. */
export const PART_SCHEMAS = {
  DeliveryAttempt: deliverySchemas.attempt,
  DuplicateAttempt: deliverySchemas.copy,
  HttpMessage: deliverySchemas.message,
  LoggedBody: controlSchemas.loggedBody,
  LastAttempt: deliverySchemas.lastAttempt,
  DueStep: controlSchemas.dueStep,
  StateRow: controlSchemas.row,
  StateTables: controlSchemas.stateTables,
  EventStreamCounts: controlSchemas.eventStreamCounts,
  ...STREAM_SCHEMAS,
  ...values.VALUE_SCHEMAS,
  ClockMode: values.clockMode,
  ThreeDsStep: values.threeDsStep,
  DeliveryStatus: values.deliveryStatus,
  EventName: values.eventName,
  FailureCode: values.failureCode,
  FaultTarget: values.faultTarget,
  ImportedSignature: values.importedSignature,
  MatchValue: values.matchValue,
  PageMethod: values.pageMethod,
  RulePlan: values.rulePlan,
  SignatureVersion: values.signatureVersion,
}

export function controlDocument(routes: readonly ControlRoute[]): unknown {
  return openApiDocument(
    {
      title: 'Control API of the sandbox',
      version: API_VERSION,
      description:
        'Does what the dashboard of the real service does, and controls the simulator. This API is available on loopback hosts, and on other hosts only with the control token.',
      servers: [{ url: '/', description: 'This server.' }],
      tags: TAGS.map(([name, description]) => ({ name, description })),
      bearer: 'The control token. A server on a loopback host that was started without one needs none.',
      bearerOptional: true,
      schemas: { ...RESPONSES, ...PART_SCHEMAS, ...BODY_PARTS, ...bodySchemas(routes) },
    },
    routes.map(documented),
  )
}

/** Returns the schema of each body under the name of its route: `CreateShop` is the body of `createShop`. */
function bodySchemas(routes: readonly ControlRoute[]): Schemas {
  return Object.fromEntries(
    routes.flatMap((route) => {
      const schema = bodyOf(route)
      return schema === undefined ? [] : [[capitalize(route.name), schema]]
    }),
  )
}

function bodyOf({ name, body }: ControlRoute): z.ZodType | undefined {
  return DOCUMENTED_BODIES[name] ?? body
}

const COMMON_ERRORS: readonly ApiErrorCode[] = [
  // A query, a body or a dry-run header that is not valid.
  'bad_request',
  'unauthorized',
  'forbidden',
  // An unknown id, or a server without a token that other machines can reach.
  'not_found',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
]
/** Errors of requests that change something: a body that is not JSON, a reset in the meantime, a failed write. */
const CHANGE_ERRORS: readonly ApiErrorCode[] = ['unsupported_media_type', 'sandbox_reset', 'storage_unavailable']

function documented(route: ControlRoute): DocumentedRoute {
  const { name, method, path, summary, description, query, responses, errors = [] } = route
  const body = bodyOf(route)
  return {
    operationId: name,
    method,
    path: `/_psp${path}`,
    tag: TAGS.find(([, , ...parts]) => parts.includes(path.split('/')[1] ?? ''))?.[0] ?? 'Sandbox',
    summary,
    description,
    params: { ...paramsOf(path), ...route.params },
    ...(path === '/stream' ? { headers: { 'Last-Event-ID': LAST_EVENT_ID } } : {}),
    ...omitUndefined({ query, body: body && { schema: body, required: !mayBeAbsent(route) } }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, name]) => [status, responseOf(name, route)])),
    errors: [
      ...errors,
      ...COMMON_ERRORS,
      ...(body === undefined ? [] : (['payload_too_large'] as const)),
      ...(method === 'GET' ? [] : CHANGE_ERRORS),
    ],
  }
}

/** Returns whether the body may be absent. An absent body counts as `{}`, which the schema must accept. */
function mayBeAbsent({ body, bodyOptional }: ControlRoute): boolean {
  return bodyOptional === true && body?.safeParse({}).success === true
}

const LAST_EVENT_ID = z.string().meta({ description: 'The id of the last message that the client received.' })

/** The objects whose ids are UUIDs, by the first part of the path. */
const WITH_UUID: { readonly [part: string]: string } = {
  shops: 'shop',
  payments: 'payment',
  payouts: 'payout',
  refunds: 'refund',
}
const WITH_ID: { readonly [part: string]: string } = {
  keys: 'key',
  endpoints: 'endpoint',
  events: 'event',
  deliveries: 'delivery',
  rules: 'rule',
  faults: 'fault',
  listeners: 'listener',
}

function paramsOf(path: string): Schemas {
  const [, part = ''] = path.split('/')
  const uuid = WITH_UUID[part]
  if (uuid !== undefined) return { id: z.string().meta({ format: 'uuid', description: `Id of the ${uuid}.` }) }
  return { id: z.string().meta({ description: `Id of the ${WITH_ID[part] ?? 'object'}.` }) }
}

function responseOf(name: ControlRoute['responses'][number], { message, links }: ControlRoute): DocumentedResponse {
  if (name === 'nothing') return { description: 'Done.' }
  const linked = links === undefined ? {} : { links }
  if (name !== 'stream') return { description: name, schema: RESPONSES[name], ...linked }
  const schema = message === undefined ? {} : { schema: RESPONSES[message] }
  return { description: 'Server-sent events with JSON as their `data`.', ...schema, media: 'text/event-stream' }
}
