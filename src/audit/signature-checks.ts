// Spec 6.1, Receiver rules: how a handler must treat valid and invalid signatures.

import { FIXES } from '../domain/remediation.ts'
import { hmacHex } from '../domain/signatures.ts'
import { ACCEPTED, type Check, GIVEN_UP, type MessageValues, type Step } from './check.ts'
import { buildMessage, type Mutation } from './message.ts'
import { eventBody, paidPayment, subjectOf } from './sample.ts'

const REJECTED = 'any status except 2xx, preferably 400'
const FORGED = 'Anyone who knows the URL could report an order as paid.'
const REPLAYED = 'An attacker who once saw a webhook could send it again at any time.'
const VERIFY = 'Verify X-PSP-Signature before you trust the body, and respond 400 if it does not match.'
const COMPARE = 'Check the format of the header first. Compare hashes as bytes, and only if their lengths are equal.'
const BOTH_SIDES =
  'Reject a t= that differs from your clock by more than 5 minutes in either direction: Math.abs(now - t) > 300.'

const TEN_MINUTES = 600

export const SIGNATURE_CHECKS = [
  {
    id: 'valid',
    title: 'accepts a webhook with a valid signature',
    sent: 'payment.succeeded, signed with v2',
    expect: 'accept',
    expected: ACCEPTED,
    why: `An order stays unpaid if its webhook is rejected: ${GIVEN_UP}.`,
    fix: `${FIXES.raw_bytes} ${FIXES.secret}`,
    steps: (values) => paid(values, {}),
  },
  {
    id: 'tampered',
    title: 'rejects a changed body',
    sent: 'a signed payment.succeeded whose amount was raised after signing',
    expect: 'reject',
    expected: REJECTED,
    why: 'An attacker in the middle could raise the amount of a payment.',
    fix: 'Compute the HMAC over the received body, on each request. A header in the correct format proves nothing.',
    steps(values) {
      const { body, about } = paidEvent(values)
      const raised = body.text.replace(/"amount":(\d+)/, (_, amount: string) => `"amount":${Number(amount) + 1}`)
      return [{ about, messages: [buildMessage(values, body, { body: raised })] }]
    },
  },
  {
    id: 'wrong_secret',
    title: 'rejects a signature with another secret',
    sent: 'payment.succeeded, signed with another secret',
    expect: 'reject',
    expected: REJECTED,
    why: FORGED,
    fix: FIXES.secret,
    steps: (values) => paid(values, { secret: `whs_${values.random.token(32)}` }),
  },
  {
    id: 'missing_header',
    title: 'rejects a webhook without a signature',
    sent: 'payment.succeeded without X-PSP-Signature',
    expect: 'reject',
    expected: REJECTED,
    why: FORGED,
    fix: 'Treat a missing header as an invalid one: respond 400. No branch may continue without a signature.',
    steps: (values) => paid(values, { signature: () => undefined }),
  },
  {
    id: 'garbage_header',
    title: 'rejects a malformed header',
    sent: 'payment.succeeded with X-PSP-Signature: t=,v2=;;garbage',
    expect: 'reject',
    expected: REJECTED,
    why: `${FORGED} An error that nothing catches can end the process.`,
    fix: COMPARE,
    steps: (values) => paid(values, { signature: () => 't=,v2=;;garbage' }),
  },
  {
    id: 'non_ascii_header',
    title: 'rejects a header with non-ASCII characters',
    sent: 'payment.succeeded with 64 é characters in place of each hash',
    expect: 'reject',
    expected: REJECTED,
    why: 'Each hash has twice as many bytes as characters. If only the characters are counted, the comparison of the bytes throws.',
    fix: COMPARE,
    steps: (values) => paid(values, { signature: (right) => right.replace(/(v[12])=[^,]*/g, `$1=${'é'.repeat(64)}`) }),
  },
  {
    id: 'stale',
    title: 'rejects an old signature',
    sent: 'payment.succeeded, with a valid signature from 10 minutes ago',
    expect: 'reject',
    expected: REJECTED,
    why: REPLAYED,
    fix: BOTH_SIDES,
    steps: (values) => paid(values, { skew: -TEN_MINUTES }),
  },
  {
    id: 'future',
    title: 'rejects a signature from the future',
    sent: 'payment.succeeded, with a valid signature and a t= 10 minutes ahead',
    expect: 'reject',
    expected: REJECTED,
    why: 'With a tolerance on one side only, a webhook signed with a future t= stays valid until that time.',
    fix: BOTH_SIDES,
    steps: (values) => paid(values, { skew: TEN_MINUTES }),
  },
  {
    id: 'changed_time',
    title: 'rejects an old webhook with a new t=',
    sent: 'payment.succeeded from 10 minutes ago with t= set to now: v1= matches and v2= does not',
    expect: 'reject',
    expected: REJECTED,
    why: `${REPLAYED} v1= does not cover the time, but v2= does.`,
    fix: FIXES.timestamp_prefix,
    steps: (values) =>
      paid(values, { skew: -TEN_MINUTES, signature: (old) => old.replace(/^t=\d+/, `t=${seconds(values)}`) }),
  },
  {
    id: 'v1_only',
    title: 'rejects the legacy signature',
    sent: 'payment.succeeded with sha256=, the v1 signature, which does not cover the time',
    expect: 'reject',
    expected: `${REJECTED}, unless the endpoint is set to v1`,
    warnsOnly: true,
    why: `${REPLAYED} A handler that accepts both formats is only as safe as the weaker one.`,
    fix: 'Accept sha256= only for endpoints that are set to v1, and switch them to v2.',
    steps(values) {
      const { body, about } = paidEvent(values)
      const v1 = `sha256=${hmacHex(values.secret, body.text)}`
      return [{ about, messages: [buildMessage(values, body, { signature: () => v1 })] }]
    },
  },
  {
    id: 'broken_json',
    title: 'does not respond 2xx to a body it cannot read',
    sent: 'half of a JSON body, with a valid signature',
    expect: 'reject',
    expected: 'any status except 2xx',
    warnsOnly: true,
    allows5xx: true,
    why: 'A handler that responds 2xx after a failure never gets the event again, because 2xx means done.',
    fix: `${VERIFY} Let an internal error become a 500, so that the webhook is sent again.`,
    steps(values) {
      const { body, about } = paidEvent(values)
      const half = { id: body.id, text: body.text.slice(0, Math.floor(body.text.length / 2)) }
      return [{ about, messages: [buildMessage(values, half)] }]
    },
  },
] as const satisfies readonly Check[]

function paid(values: MessageValues, mutation: Mutation): Step[] {
  const { body, about } = paidEvent(values)
  return [{ about, messages: [buildMessage(values, body, mutation)] }]
}

function paidEvent(values: MessageValues) {
  const payment = paidPayment(values)
  return { body: eventBody(values, 'payment.succeeded', payment), about: subjectOf(payment) }
}

function seconds({ now }: MessageValues): number {
  return Math.floor(now / 1000)
}
