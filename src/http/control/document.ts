// The OpenAPI document of the control API, from its routes. Loaded only when the document is asked for.
import type { ApiErrorCode } from '../../domain/errors.ts'
import { API_VERSION } from '../openapi/api-version.ts'
import { type DocumentedAnswer, type DocumentedRoute, documentOf } from '../openapi/document.ts'
import { eventStream } from '../openapi/objects.ts'
import { ANSWERS, settingsChange } from './answers.ts'
import type { ControlRoute } from './route.ts'

/** First part of a path to its tag. */
const TAGS: readonly (readonly [tag: string, description: string, ...parts: string[]])[] = [
  ['Sandbox', 'Health, settings and the clock.', 'health', 'settings', 'clock', 'openapi.json'],
  ['State', 'Reset, snapshots, export and import: each in one step.', 'reset', 'snapshots', 'export', 'import'],
  ['Dashboard', 'Shops, their keys and webhook endpoints.', 'shops', 'keys', 'endpoints'],
  ['Objects', 'Payments, payouts and refunds of all shops, and acts on them.', 'payments', 'payouts', 'refunds'],
  ['Webhooks', 'Events, deliveries and listeners.', 'events', 'deliveries', 'listeners', 'trigger'],
  ['Simulator', 'Rules for outcomes, faults of the transport.', 'rules', 'faults'],
  ['Watching', 'The request log and the stream of everything.', 'requests', 'stream'],
]

export function controlDocument(routes: readonly ControlRoute[]): unknown {
  return documentOf(
    {
      title: 'Control API of the sandbox',
      version: API_VERSION,
      description:
        'Stands for the dashboard and the simulator. It answers on loopback, elsewhere only with the control token.',
      servers: [{ url: '/', description: 'This server.' }],
      tags: TAGS.map(([name, description]) => ({ name, description })),
      bearer: 'The control token, where the server was started with one.',
      schemas: { ...ANSWERS, SettingsChange: settingsChange },
    },
    routes.map(documented),
  )
}

const ALWAYS: readonly ApiErrorCode[] = ['unauthorized', 'forbidden', 'rate_limited', 'internal_error']
const WITH_BODY: readonly ApiErrorCode[] = ['payload_too_large', 'unsupported_media_type']
const CHANGES: readonly ApiErrorCode[] = ['storage_unavailable']

function documented(route: ControlRoute): DocumentedRoute {
  const { method, path, summary, body, bodyOptional, query, answers, refuses = [] } = route
  const shared = [...ALWAYS, ...(body === undefined ? [] : WITH_BODY), ...(method === 'GET' ? [] : CHANGES)]
  return {
    operationId: operationId(route),
    method,
    path: `/_psp${path}`,
    tag: TAGS.find(([, , ...parts]) => parts.includes(path.split('/')[1] ?? ''))?.[0] ?? 'Sandbox',
    summary,
    ...(path === '/stream' ? { headers: { 'Last-Event-ID': 'The id of the last message that was read.' } } : {}),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined
      ? {}
      : { body: { schema: path === '/settings' ? settingsChange : body, required: bodyOptional !== true } }),
    answers: Object.fromEntries(Object.entries(answers).map(([status, name]) => [status, answerOf(name)])),
    refuses: [...refuses, ...shared],
  }
}

function answerOf(name: ControlRoute['answers'][number]): DocumentedAnswer {
  if (name === 'nothing') return { description: 'Done.' }
  if (name === 'stream') return { description: 'The stream.', schema: eventStream, media: 'text/event-stream' }
  return { description: name, schema: ANSWERS[name] }
}

/** `POST /shops/:id/keys` is `post_shops_id_keys`. */
function operationId({ method, path }: ControlRoute): string {
  return [method.toLowerCase(), ...path.split(/[/:.-]+/).filter(Boolean)].join('_')
}
