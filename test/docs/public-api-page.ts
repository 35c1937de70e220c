import examples from '../../fixtures/api-examples.json' with { type: 'json' }
import { defaultAttemptOffsets } from '../../src/domain/delivery.ts'
import { RESERVED_KEYS } from '../../src/domain/metadata.ts'
import { PAYMENT_TRANSITIONS } from '../../src/domain/payment-states.ts'
import { PAYOUT_TRANSITIONS } from '../../src/domain/payout.ts'
import { API_VERSION } from '../../src/http/openapi/api-version.ts'
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
    `The interface a shop talks to, version \`${API_VERSION}\`. \`GET /openapi.json\` and \`psp openapi\` return it as an OpenAPI document, for [generated clients](../guides/generated-clients.md).`,
    table(
      ['', ''],
      [
        ['Paths', '`/v1/public/…` or `/api/v1/public/…`: the same operations, the same state'],
        ['Key', '`Authorization: Bearer sk_test_…`; a live key (`sk_live_…`) needs a merchant that was activated'],
        [
          'Bodies',
          'JSON in UTF-8, up to the setting `body_limit`; unknown fields are ignored and named in the request log',
        ],
        ['Money', 'whole numbers in the minor unit of the currency, up to 9007199254740991'],
        ['Times', 'RFC 3339 in UTC'],
        ['Ids', 'UUIDs; of events `evt_…`'],
        [
          'Order of checks',
          'route, key, live mode, address, rate, signature, body, idempotency, then the operation itself',
        ],
      ],
    ),
    'What cannot be done is refused with an [ApiError](#apierror); all codes are in [errors](errors.md).',
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
    '## Of a payment',
    'It begins as `pending`. What is not listed does not happen; `failed`, `expired`, `cancelled` and `refunded` are final.',
    moves(PAYMENT_TRANSITIONS, 'payment.status_changed'),
    'Each refund, whole or in part, sends one `payment.refunded` webhook when it is made. When a payment with a `return_url` is final the buyer is sent there with `payment_id` and `status` added: after 2 seconds if it succeeded, else at once. That is no proof of payment.',
    '## Of a refund',
    'It is `succeeded` in the answer already, unless the simulator was told otherwise: `pending` then becomes `succeeded` or `failed`. Pending refunds are reserved, so that the sum can never exceed the amount.',
    '## Of a payout',
    'It begins as `pending`; `succeeded` and `failed` are final.',
    moves(PAYOUT_TRANSITIONS, 'payout.status_changed'),
  ]
}

function idempotency(): string[] {
  return [
    '# Idempotency',
    'POST of payments, refunds and payouts takes an `Idempotency-Key` of 1 to 64 characters. The same key and body give the same object, 200 instead of 201, with `idempotent: true` and the object as it is now. The same key with another body, path or shop is refused with `idempotent_conflict`. Bodies are compared as JSON: the order of keys does not matter. A key belongs to the merchant and the mode, and lives as long as the setting `idempotency_ttl` says; a request that was refused uses none up. Two at once make one object.',
  ]
}

function metadata(): string[] {
  return [
    '# Metadata',
    'Pairs of strings, stored and returned unchanged, in webhooks too; up to 20 pairs of up to 500 characters are recommended, more are accepted with a warning in the request log. These keys belong to the service, which overwrites them:',
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
    'A POST to each endpoint of the shop that wants the event, or to the `webhook_url` of the payment instead. Any 2xx within 15 seconds (setting `webhook_timeout`) will do. Anything else, a redirect too, is tried again: ' +
      `attempts come ${defaultAttemptOffsets()
        .map((ms) => `${ms / 1000} s`)
        .join(
          ', ',
        )} after the first. An event may come more than once, and events may overtake each other: remember ids, and read the object where order matters.`,
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
    'How to check the signature, in five languages: [verifying signatures](../guides/verifying-signatures.md).',
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
    '`GET /v1/public/events` with a key: server-sent events, of that key’s shop and mode. One connection for each key, the newest wins (setting `stream_second`). `: connected` comes at once, `: ping` every 25 seconds. A message is an `event:` line with its kind and a `data:` line with JSON; there are no ids, and what a slow reader misses is dropped: webhooks are the sure channel.',
    `\`\`\`text\nevent: ${first.kind}\ndata: ${JSON.stringify(first)}\n\`\`\``,
    ...messages.flatMap((message) => {
      const kind = String(message.properties?.['kind']?.const)
      return [`## ${kind}`, ...fieldTables('Field', message)]
    }),
  ]
}
