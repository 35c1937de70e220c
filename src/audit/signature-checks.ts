// Spec 6.1, Receiver rules: what a handler must make of signatures, right and wrong.
import { hmacHex } from '../domain/hmac.ts'
import { FIXES } from '../domain/remediation.ts'
import { type Check, GIVEN_UP, type Ground, type Step, TAKEN } from './check.ts'
import { message, type Twist } from './message.ts'
import { eventBody, paidPayment, subjectOf } from './sample.ts'

const REFUSED = 'any status but 2xx, best 400'
const FORGED = 'Anybody who knows the url could report an order as paid.'
const REPLAYED = 'Whoever once saw a webhook could send it again, whenever it suits.'
const VERIFY = 'Verify X-PSP-Signature before anything in the body is believed, and answer 400 where it does not fit.'
const COMPARE = 'Check the form of the header first; compare hashes as bytes, and only where their lengths are equal.'
const BOTH_SIDES = 'Refuse t= that is more than 5 minutes off your clock, on either side: Math.abs(now - t) > 300.'

const TEN_MINUTES = 600

export const SIGNATURE_CHECKS = [
  {
    id: 'valid',
    title: 'takes a webhook that is signed rightly',
    sent: 'payment.succeeded, signed with v2',
    expect: 'taken',
    expected: TAKEN,
    why: `What is refused stays unpaid: ${GIVEN_UP}.`,
    fix: `${FIXES.raw_bytes} ${FIXES.secret}`,
    steps: (ground) => paid(ground, {}),
  },
  {
    id: 'tampered',
    title: 'refuses a body that was changed',
    sent: 'a signed payment.succeeded whose amount was raised after signing',
    expect: 'refused',
    expected: REFUSED,
    why: 'A thief on the way could raise the amount of a payment.',
    fix: 'Compute the HMAC over the body that came, on each request. A header that merely looks right proves nothing.',
    steps(ground) {
      const { body, about } = paidEvent(ground)
      const raised = body.text.replace(/"amount":(\d+)/, (_, amount: string) => `"amount":${Number(amount) + 1}`)
      return [{ about, messages: [message(ground, body, { body: raised })] }]
    },
  },
  {
    id: 'wrong_secret',
    title: "refuses another secret's signature",
    sent: 'payment.succeeded, signed with a secret that is not yours',
    expect: 'refused',
    expected: REFUSED,
    why: FORGED,
    fix: FIXES.secret,
    steps: (ground) => paid(ground, { secret: `whs_${ground.random.token(32)}` }),
  },
  {
    id: 'missing_header',
    title: 'refuses a webhook without signature',
    sent: 'payment.succeeded without X-PSP-Signature',
    expect: 'refused',
    expected: REFUSED,
    why: FORGED,
    fix: 'A missing header is a wrong one: answer 400. Let no branch go on without a signature.',
    steps: (ground) => paid(ground, { signature: () => undefined }),
  },
  {
    id: 'garbage_header',
    title: 'refuses a header that is garbage',
    sent: 'payment.succeeded with X-PSP-Signature: t=,v2=;;garbage',
    expect: 'refused',
    expected: REFUSED,
    why: `${FORGED} A parser that throws ends the process of many frameworks.`,
    fix: COMPARE,
    steps: (ground) => paid(ground, { signature: () => 't=,v2=;;garbage' }),
  },
  {
    id: 'non_ascii_header',
    title: 'refuses a header beyond ASCII',
    sent: 'payment.succeeded with 64 letters é for each hash',
    expect: 'refused',
    expected: REFUSED,
    why: 'Its bytes are twice as many as its letters: a comparison that counts letters throws.',
    fix: COMPARE,
    steps: (ground) => paid(ground, { signature: (right) => right.replace(/(v[12])=[^,]*/g, `$1=${'é'.repeat(64)}`) }),
  },
  {
    id: 'stale',
    title: 'refuses a signature that is old',
    sent: 'payment.succeeded, signed rightly with a t= of 10 minutes ago',
    expect: 'refused',
    expected: REFUSED,
    why: REPLAYED,
    fix: BOTH_SIDES,
    steps: (ground) => paid(ground, { skew: -TEN_MINUTES }),
  },
  {
    id: 'future',
    title: 'refuses a signature from the future',
    sent: 'payment.succeeded, signed rightly with a t= 10 minutes ahead',
    expect: 'refused',
    expected: REFUSED,
    why: 'A tolerance that looks at one side only leaves a webhook signed ahead valid for as long as its t= says.',
    fix: BOTH_SIDES,
    steps: (ground) => paid(ground, { skew: TEN_MINUTES }),
  },
  {
    id: 'changed_time',
    title: 'refuses an old webhook with a new t=',
    sent: 'payment.succeeded of 10 minutes ago, its t= set to now: v1= fits and v2= does not',
    expect: 'refused',
    expected: REFUSED,
    why: `${REPLAYED} v1= does not cover the time, v2= does.`,
    fix: FIXES.timestamp_prefix,
    steps: (ground) =>
      paid(ground, { skew: -TEN_MINUTES, signature: (old) => old.replace(/^t=\d+/, `t=${seconds(ground)}`) }),
  },
  {
    id: 'v1_only',
    title: 'refuses the legacy signature',
    sent: 'payment.succeeded with sha256=, the v1 signature, which says nothing of the time',
    expect: 'refused',
    expected: `${REFUSED}, unless the endpoint is set to v1`,
    mild: true,
    why: `${REPLAYED} A handler that takes both forms is only as good as the weaker one.`,
    fix: 'Take sha256= only for endpoints that are set to v1, and set them to v2.',
    steps(ground) {
      const { body, about } = paidEvent(ground)
      const v1 = `sha256=${hmacHex(ground.secret, body.text)}`
      return [{ about, messages: [message(ground, body, { signature: () => v1 })] }]
    },
  },
  {
    id: 'broken_json',
    title: 'does not say 2xx to a body it cannot read',
    sent: 'half of a JSON body, signed rightly',
    expect: 'refused',
    expected: 'any status but 2xx',
    mild: true,
    ownErrors: true,
    why: 'A handler that answers 2xx to its own failure never gets the event again: 2xx means done.',
    fix: `${VERIFY} Let an error of your own become a 500: the webhook comes again.`,
    steps(ground) {
      const { body, about } = paidEvent(ground)
      const half = { id: body.id, text: body.text.slice(0, Math.floor(body.text.length / 2)) }
      return [{ about, messages: [message(ground, half)] }]
    },
  },
] as const satisfies readonly Check[]

function paid(ground: Ground, twist: Twist): Step[] {
  const { body, about } = paidEvent(ground)
  return [{ about, messages: [message(ground, body, twist)] }]
}

function paidEvent(ground: Ground) {
  const payment = paidPayment(ground)
  return { body: eventBody(ground, 'payment.succeeded', payment), about: subjectOf(payment) }
}

function seconds({ now }: Ground): number {
  return Math.floor(now / 1000)
}
