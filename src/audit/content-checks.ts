// Spec 6.1: what a handler must stand in the body, all of it signed rightly.
import { rawBodyAdvice } from '../domain/raw-body-code.ts'
import { FIXES } from '../domain/remediation.ts'
import { type Check, GIVEN_UP, type Ground, type Step, TAKEN } from './check.ts'
import { message, type Twist } from './message.ts'
import { eventBody, paidPayment, type Sample, subjectOf } from './sample.ts'

/** 20 pairs of 50,000 letters. */
const PAIRS = 20
const LETTERS = 50_000

const LARGE_BODIES = `${rawBodyAdvice('Express')} Fastify: bodyLimit: 2097152. nginx: client_max_body_size 2m;`

export const CONTENT_CHECKS = [
  {
    id: 'unknown_event',
    title: 'takes an event it does not know',
    sent: 'payment.reviewed, an event of some later version',
    expect: 'taken',
    expected: TAKEN,
    why: `The service may add events. One that throws here is answered with an error: ${GIVEN_UP}.`,
    fix: 'Answer 2xx to events you do not handle: a default branch that does nothing.',
    steps(ground) {
      const payment = paidPayment(ground)
      return oneOf(ground, payment, 'payment.reviewed', {})
    },
  },
  {
    id: 'unknown_fields',
    title: 'takes fields it does not know',
    sent: 'payment.succeeded with more fields, at the top and in data',
    expect: 'taken',
    expected: TAKEN,
    why: `The service may add fields. Where a strict schema refuses them, ${GIVEN_UP}.`,
    fix: 'Read the fields you need and leave the others alone: no strict schema on webhooks.',
    steps(ground) {
      const payment = { ...paidPayment(ground), risk: { score: 12, reasons: ['new'] }, installments: null }
      const body = eventBody(ground, 'payment.succeeded', payment, { api_version: '2027-01-01', attempt: 1 })
      return [{ about: subjectOf(payment), messages: [message(ground, body)] }]
    },
  },
  {
    id: 'cyrillic',
    title: 'takes Cyrillic and escapes',
    sent: 'payment.succeeded with Cyrillic, signs beyond the basic plane, quotes and line breaks',
    expect: 'taken',
    expected: TAKEN,
    why: 'Names and purposes are in Russian. A body decoded as Latin-1, or counted in letters, has another HMAC.',
    fix: 'Verify bytes, not text; where it must be text, decode it as UTF-8.',
    steps(ground) {
      const payment = paidPayment(ground)
      const metadata = {
        ...payment.metadata,
        название: 'Ёжик в тумане № 5, 8,20 ₽',
        quoted: 'он сказал: "да" \\ нет',
        lines: 'one\ntwo\tthree\u2028four',
        hedgehog: '🦔',
      }
      return oneOf(ground, { ...payment, shop_name: 'Лавка «Ёж»', metadata })
    },
  },
  {
    id: 'raw_body',
    title: 'verifies the bytes as they came',
    sent: 'payment.succeeded in JSON that is spaced and escaped otherwise, signed as it is sent',
    expect: 'taken',
    expected: TAKEN,
    why: 'The signature is over bytes. Whoever parses the body and writes it again verifies what was never sent.',
    fix: `${FIXES.raw_bytes} ${rawBodyAdvice('Fastify', 'Hono', 'FastAPI', 'Django', 'Go')}`,
    steps(ground) {
      const payment = paidPayment(ground)
      const { id, text } = eventBody(ground, 'payment.succeeded', payment)
      const spelled = JSON.stringify(JSON.parse(text), null, 2).replaceAll('/', '\\/')
      return [{ about: subjectOf(payment), messages: [message(ground, { id, text: spelled })] }]
    },
  },
  {
    id: 'large_metadata',
    title: 'takes a megabyte of metadata',
    sent: 'payment.succeeded with 1 MB of metadata',
    expect: 'taken',
    expected: TAKEN,
    why: `Metadata has no hard cap. Where a body parser stops at 100 kB, ${GIVEN_UP}.`,
    fix: `Raise the limit of the body parser and of the proxy. ${LARGE_BODIES}`,
    covers: [413],
    steps(ground) {
      const payment = paidPayment(ground)
      const pairs = Array.from({ length: PAIRS }, (_, at) => [`note_${at}`, 'x'.repeat(LETTERS)] as const)
      return oneOf(ground, { ...payment, metadata: { ...payment.metadata, ...Object.fromEntries(pairs) } })
    },
  },
  {
    id: 'slow_body',
    title: 'reads a body that comes slowly',
    sent: 'payment.succeeded in 8 pieces, with pauses between them',
    expect: 'taken',
    expected: TAKEN,
    why: 'Over a slow line a body comes in pieces. Whoever takes the first for all, or loses patience, refuses it.',
    fix: 'Read until the end of the request; give it 15 s.',
    steps: (ground) => oneOf(ground, paidPayment(ground), 'payment.succeeded', { pieces: 8 }),
  },
] as const satisfies readonly Check[]

function oneOf(ground: Ground, payment: Sample, event = 'payment.succeeded', twist: Twist = {}): Step[] {
  return [{ about: subjectOf(payment), messages: [message(ground, eventBody(ground, event, payment), twist)] }]
}
