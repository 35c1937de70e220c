// Spec 6.1: the bodies that a handler must support. All signatures are valid.
import { FIXES, rawBodyAdvice } from '../domain/remediation.ts'
import { ACCEPTED, type Check, GIVEN_UP, type MessageValues, type Step } from './check.ts'
import { buildMessage, type Mutation } from './message.ts'
import { eventBody, paidPayment, type Sample, subjectOf } from './sample.ts'

/** 20 pairs of 50,000 characters. */
const PAIRS = 20
const LETTERS = 50_000

const LARGE_BODIES = `${rawBodyAdvice('Express')} Fastify: bodyLimit: 2097152. nginx: client_max_body_size 2m;`

export const CONTENT_CHECKS = [
  {
    id: 'unknown_event',
    title: 'accepts an unknown event',
    sent: 'payment.reviewed, an event of a later version',
    expect: 'accept',
    expected: ACCEPTED,
    why: `The service may add events. If the handler throws on one, it responds with an error and ${GIVEN_UP}.`,
    fix: 'Respond 2xx to events you do not handle: add a default branch that does nothing.',
    steps(values) {
      const payment = paidPayment(values)
      return singleMessage(values, payment, 'payment.reviewed', {})
    },
  },
  {
    id: 'unknown_fields',
    title: 'accepts unknown fields',
    sent: 'payment.succeeded with additional fields, at the top level and in data',
    expect: 'accept',
    expected: ACCEPTED,
    why: `The service may add fields. If a strict schema rejects them, ${GIVEN_UP}.`,
    fix: 'Read the fields you need and ignore the others: do not use a strict schema for webhooks.',
    steps(values) {
      const payment = { ...paidPayment(values), risk: { score: 12, reasons: ['new'] }, installments: null }
      const body = eventBody(values, 'payment.succeeded', payment, { api_version: '2027-01-01', attempt: 1 })
      return [{ about: subjectOf(payment), messages: [buildMessage(values, body)] }]
    },
  },
  {
    id: 'cyrillic',
    title: 'accepts Cyrillic and escapes',
    sent: 'payment.succeeded with Cyrillic, emoji, quotes and line breaks',
    expect: 'accept',
    expected: ACCEPTED,
    why: 'Names and purposes are in Russian. The HMAC differs if the body is decoded as Latin-1 or measured in characters.',
    fix: 'Verify bytes, not text. If your library needs text, decode the body as UTF-8.',
    steps(values) {
      const payment = paidPayment(values)
      const metadata = {
        ...payment.metadata,
        название: 'Ёжик в тумане № 5, 8,20 ₽',
        quoted: 'он сказал: "да" \\ нет',
        lines: 'one\ntwo\tthree\u2028four',
        hedgehog: '🦔',
      }
      return singleMessage(values, { ...payment, shop_name: 'Лавка «Ёж»', metadata })
    },
  },
  {
    id: 'raw_body',
    title: 'verifies the bytes as received',
    sent: 'payment.succeeded in JSON with unusual spaces and escapes, signed as sent',
    expect: 'accept',
    expected: ACCEPTED,
    why: 'The signature covers bytes. A handler that parses the body and serializes it again verifies bytes that were never sent.',
    fix: `${FIXES.raw_bytes} ${rawBodyAdvice('Fastify', 'Hono', 'FastAPI', 'Django', 'Go')}`,
    steps(values) {
      const payment = paidPayment(values)
      const { id, text } = eventBody(values, 'payment.succeeded', payment)
      const spelled = JSON.stringify(JSON.parse(text), null, 2).replaceAll('/', '\\/')
      return [{ about: subjectOf(payment), messages: [buildMessage(values, { id, text: spelled })] }]
    },
  },
  {
    id: 'large_metadata',
    title: 'accepts a megabyte of metadata',
    sent: 'payment.succeeded with 1 MB of metadata',
    expect: 'accept',
    expected: ACCEPTED,
    why: `Metadata has no hard limit. If a body parser stops at 100 kB, ${GIVEN_UP}.`,
    fix: `Raise the body limit of the body parser and of the proxy. ${LARGE_BODIES}`,
    fixCoversStatuses: [413],
    steps(values) {
      const payment = paidPayment(values)
      const pairs = Array.from({ length: PAIRS }, (_, at) => [`note_${at}`, 'x'.repeat(LETTERS)] as const)
      return singleMessage(values, { ...payment, metadata: { ...payment.metadata, ...Object.fromEntries(pairs) } })
    },
  },
  {
    id: 'slow_body',
    title: 'reads a body that arrives slowly',
    sent: 'payment.succeeded in 8 pieces, with pauses between them',
    expect: 'accept',
    expected: ACCEPTED,
    why: 'Over a slow connection a body arrives in pieces. A handler that uses only the first piece, or times out early, rejects it.',
    fix: 'Read until the end of the request, and allow 15 s for it.',
    steps: (values) => singleMessage(values, paidPayment(values), 'payment.succeeded', { pieces: 8 }),
  },
] as const satisfies readonly Check[]

function singleMessage(
  values: MessageValues,
  payment: Sample,
  event = 'payment.succeeded',
  mutation: Mutation = {},
): Step[] {
  return [{ about: subjectOf(payment), messages: [buildMessage(values, eventBody(values, event, payment), mutation)] }]
}
