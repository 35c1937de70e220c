import examples from '../../fixtures/api-examples.json' with { type: 'json' }
import { RESERVED_KEYS } from '../../src/domain/metadata.ts'
import { PAYMENT_TRANSITIONS } from '../../src/domain/payment-states.ts'
import { PAYOUT_TRANSITIONS } from '../../src/domain/payout.ts'
import { defaultAttemptOffsets } from '../../src/domain/retry-schedule.ts'
import { API_VERSION } from '../../src/domain/version.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import {
  answersText,
  bodyExample,
  bodyTables,
  type Document,
  type Operation,
  operationsOf,
  parameterTable,
  refusalTable,
  withInlineParts,
} from './document-parts.ts'
import { code, json, page, table } from './markdown.ts'
import { fieldTables, type Schema } from './schema-tables.ts'

export function publicApiPage(): string {
  const document = withInlineParts(publicDocument() as Document, (name) => OBJECTS.includes(name))
  return page('Public API', [
    ...beginning(),
    '# Operations',
    ...operationsOf(document).flatMap(([heading, operation]) => operationPart(heading, operation, document)),
    '# Objects',
    ...OBJECTS.flatMap((name) => objectPart(name, document)),
    '# Life cycles',
    ...lifeCycles(),
    ...idempotency(),
    ...metadata(),
    ...webhooks(document),
    ...stream(document),
  ])
}

const OBJECTS = [
  'Payment',
  'CreatedPayment',
  'CancelledPayment',
  'Refund',
  'CreatedRefund',
  'Payout',
  'CreatedPayout',
  'Bank',
  'BankList',
  'ApiError',
]

function beginning(): string[] {
  return [
    `The API that a shop calls, version \`${API_VERSION}\`. \`GET /openapi.json\` and \`psp openapi\` return it as an OpenAPI document, for [generated clients](../guides/generated-clients.md).`,
    table(
      ['', ''],
      [
        ['Paths', '`/v1/public/…` or `/api/v1/public/…`, with the same operations and the same state'],
        ['Key', '`Authorization: Bearer sk_test_…`; a live key (`sk_live_…`) needs a merchant that was activated'],
        [
          'Bodies',
          'JSON in UTF-8, up to the setting `body_limit`; unknown fields are ignored and named in the request log',
        ],
        ['Money', 'whole numbers in the minor unit of the currency, up to 9007199254740991'],
        ['Times', 'RFC 3339 in UTC'],
        ['Ids', 'UUIDs. Events have `evt_…`'],
        [
          'Order of checks',
          'route, key, live mode, address, rate, signature, body, idempotency, then the operation itself',
        ],
      ],
    ),
    'A rejected request gets an [ApiError](#apierror). [Errors](errors.md) has all codes.',
  ]
}

function operationPart(heading: string, operation: Operation, _document: Document): string[] {
  return [
    `## ${heading}`,
    operation.description ?? operation.summary,
    ...parameterTable('Path', 'path', operation),
    ...parameterTable('Header', 'header', operation),
    ...bodyTables(operation),
    ...bodyExample(operation),
    answersText(operation),
    ...refusalTable(operation),
  ]
}

function objectPart(name: string, { components, paths }: Document): string[] {
  const example = exampleOf(name, { components, paths })
  return [
    `## ${name}`,
    ...fieldTables('Field', components.schemas[name] ?? {}),
    ...(example === undefined ? [] : [json(example)]),
  ]
}

/** Returns the example of the first response with this schema. */
function exampleOf(name: string, document: Document): unknown {
  for (const [, { responses }] of operationsOf(document)) {
    const answers = Object.entries(responses).sort(([a], [b]) => Number(b) - Number(a))
    for (const [, { content }] of answers) {
      const { schema, example } = content?.['application/json'] ?? {}
      if (schema?.$ref?.endsWith(`/${name}`) && example !== undefined) return example
    }
  }
  return undefined
}

type Move = {
  readonly from: string
  readonly when: string
  readonly to: string
  readonly webhook?: string
}

function lifeCycles(): string[] {
  const moves = (rows: readonly Move[], kind: string) =>
    table(
      ['from', 'when', 'to', 'webhook', 'stream'],
      rows.map(({ from, when, to, webhook }) => [
        code(from),
        when,
        code(to),
        webhook === undefined ? '' : code(webhook),
        from === to ? '' : code(kind),
      ]),
    )
  return [
    '## States of a payment',
    'A payment begins as `pending`. The table has all transitions. Every status except `pending` and `processing` is final: only refunds still change it.',
    moves(PAYMENT_TRANSITIONS, 'payment.status_changed'),
    'Each full or partial refund sends one `payment.refunded` webhook when it is created. When a payment with a `return_url` is final, the buyer is redirected to that URL, with `payment_id` and `status` added. The redirect follows after 2 seconds if the payment succeeded, otherwise immediately. A shop must not take the redirect as proof that the payment succeeded.',
    '## States of a refund',
    'A refund is `succeeded` in the response, unless a plan or the setting `delays.refund` makes it `pending` or `failed`. A `pending` refund becomes `succeeded` or `failed`. By default, pending refunds reserve their amount (setting `reserve_pending_refunds`), so the refunds of a payment never exceed its amount.',
    '## States of a payout',
    'A payout begins as `pending`. `succeeded` and `failed` are final.',
    moves(PAYOUT_TRANSITIONS, 'payout.status_changed'),
  ]
}

function idempotency(): string[] {
  return [
    '# Idempotency',
    'A POST of a payment, refund or payout accepts an `Idempotency-Key` of 1 to 64 characters. A request with the same key and body returns the same object in its current state, with 200 instead of 201 and `idempotent: true`. A request with the same key but a different body, path or shop gets `idempotent_conflict`. Bodies are compared as JSON, so the order of keys does not matter. A key belongs to the merchant and the mode, and expires after the setting `idempotency_ttl`. A rejected request does not use its key. Two simultaneous requests create one object.',
  ]
}

function metadata(): string[] {
  return [
    '# Metadata',
    'Metadata are pairs of strings. They are stored and returned unchanged, also in webhooks. At most 20 pairs of 500 characters are recommended. More or longer pairs are accepted with a warning in the request log. The service overwrites these keys:',
    table(
      ['key', 'mode', 'when'],
      Object.entries(RESERVED_KEYS).map(([key, { mode, when }]) => [code(key), mode, when]),
    ),
  ]
}

function webhooks({ webhooks: documented = {}, components }: Document): string[] {
  const [, { post } = { post: undefined }] = Object.entries(documented)[0] ?? []
  return [
    '# Webhooks',
    'A webhook is a POST to each endpoint of the shop that accepts the event, or to the `webhook_url` of the payment instead. It is delivered if the receiver responds with 2xx within 15 seconds (setting `webhook_timeout`). Otherwise, also after a redirect, it is sent again ' +
      `${defaultAttemptOffsets()
        .slice(1)
        .map((ms) => `${ms / 1000} s`)
        .join(
          ', ',
        )} after the first attempt. A webhook may be received more than once, and events may arrive in a different order. Store the ids of events, and read the object if the order matters.`,
    table(
      ['event', 'when', 'data'],
      Object.entries(documented).map(
        ([
          name,
          {
            post: { summary },
          },
        ]) => [code(name), summary, name.startsWith('payout.') ? '[Payout](#payout)' : '[Payment](#payment)'],
      ),
    ),
    ...(post === undefined ? [] : parameterTable('Header', 'header', post)),
    '[Verifying signatures](../guides/verifying-signatures.md) shows how to check the signature in five languages.',
    '## PaymentEvent',
    ...fieldTables('Field', components.schemas['PaymentEvent'] ?? {}),
    json(examples.webhooks['payment.succeeded']),
    '## PayoutEvent',
    ...fieldTables('Field', components.schemas['PayoutEvent'] ?? {}),
    json(examples.webhooks['payout.failed']),
  ]
}

function stream({ components }: Document): string[] {
  const messages: readonly Schema[] = components.schemas['StreamMessage']?.oneOf ?? []
  const first = examples.stream['payment.status_changed']
  return [
    '# Event stream',
    '`GET /v1/public/events` with an API key returns server-sent events of the shop and mode of the key. Each key has one connection, and a new connection replaces the old one (setting `stream_second`). The server sends `: connected` immediately and `: ping` every 25 seconds. A message is an `event:` line with its kind and a `data:` line with JSON. Messages have no ids. Messages that a slow client misses are dropped, so rely on webhooks.',
    `\`\`\`text\nevent: ${first.kind}\ndata: ${JSON.stringify(first)}\n\`\`\``,
    ...messages.flatMap((message) => {
      const kind = String(message.properties?.['kind']?.const)
      return [`## ${kind}`, ...fieldTables('Field', message)]
    }),
  ]
}
