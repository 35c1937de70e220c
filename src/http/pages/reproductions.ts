// A payment as a command and as a test that reproduce it, to copy from the panel.
import { shellWord } from '../../domain/characters.ts'
import { parsedUrl } from '../../domain/http-url.ts'
import type { Payment } from '../../domain/payment.ts'
import { isFinalPayment } from '../../domain/payment-states.ts'
import { formatPlan, plannedOutcome } from '../../domain/simulator-plan.ts'

/**
 * Returns the `psp` commands that create the same payment with the same outcome.
 * @param psp how users run psp
 */
export function asCommand(payment: Payment, psp: string): string {
  const { currency, method } = payment
  const { outcome, next } = endOf(payment)
  const flags: readonly (readonly [string, string | undefined])[] = [
    ['--amount', String(payment.amount)],
    ['--currency', currency === 'RUB' ? undefined : currency],
    ['--method', method === 'any' ? undefined : method],
    ['--order-id', payment.order_id],
    ['--description', payment.description],
    ['--return-url', payment.return_url],
    ['--webhook-url', withoutQuery(payment.webhook_url)],
    ['--outcome', outcome],
  ]
  const text = flags.map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellWord(value)}`)).join('')
  const commands = isFinalPayment(payment.status) ? NEXT[next].commands : []
  return [`psp payments create${text}`, ...commands]
    .map((line) => line.replace(/^(# Then: )?psp /, `$1${psp} `))
    .join('\n')
}

/** Returns a test for `node --test` with `psp-sandbox/testing`. */
export function asTest(payment: Payment): string {
  const { currency, method, order_id } = payment
  const { event, outcome, code, next } = endOf(payment)
  const body = {
    amount: payment.amount,
    ...(currency !== 'RUB' && { currency }),
    ...(method !== 'any' && { method }),
    order_id,
    description: payment.description,
    return_url: payment.return_url,
  }
  // The test moves the clock far enough only for the default delay.
  const options = outcome === undefined ? '' : `, { outcome: ${literal(outcome.replace(/@.*/, ''))} }`
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { startSandbox } from 'psp-sandbox/testing'",
    '',
    `test(${literal(`the payment of order ${order_id}: ${event}`)}, async (t) => {`,
    `  const psp = await startSandbox({ clock: 'frozen'${isLoopbackReturn(payment) ? ', settings: { http_return_url: true }' : ''} })`,
    '  t.after(() => psp.close())',
    `  const { payment } = await psp.payments.create(${literal(body)}${options})`,
    `  ${NEXT[next].call}`,
    `  const event = await psp.waitFor('payment.${event}', { order_id: ${literal(order_id)} })`,
    '  assert.equal(event.data.id, payment.id)',
    ...(code === undefined ? [] : [`  assert.equal(event.data.metadata.failure_code, ${literal(code)})`]),
    '})',
    '',
  ].join('\n')
}

interface End {
  readonly event: 'succeeded' | 'failed' | 'expired' | 'cancelled'
  /** The plan that leads to the end. Absent: the default of the simulator. */
  readonly outcome: string | undefined
  readonly code?: string | undefined
  /** The step after the creation of the payment. */
  readonly next: keyof typeof NEXT
}

const NEXT = {
  wait: { commands: [], call: "await psp.clock.advance('10s')" },
  pay: { commands: [], call: 'await psp.payments.pay(payment.id)' },
  cancel: { commands: ['# Then: psp payments cancel <id>'], call: 'await psp.payments.cancel(payment.id)' },
  end_session: { commands: ['psp clock advance 21m'], call: "await psp.clock.advance('21m')" },
  end_link: { commands: ['psp clock advance 24h'], call: "await psp.clock.advance('24h')" },
} as const satisfies { readonly [name: string]: { readonly commands: readonly string[]; readonly call: string } }

/** Returns the end of a final payment, or the planned end of a payment that is not final. */
function endOf({ status, metadata, plan }: Payment): End {
  const code = metadata['failure_code']
  switch (status) {
    case 'succeeded':
    case 'refunded':
      return { event: 'succeeded', outcome: 'succeeded', next: 'wait' }
    case 'failed':
      return { event: 'failed', outcome: `failed:${code}`, code, next: 'wait' }
    case 'cancelled':
      return { event: 'cancelled', outcome: 'requires_action', next: 'cancel' }
    case 'expired':
      return code === 'session_timeout'
        ? { event: 'expired', outcome: 'pending', code, next: 'end_session' }
        : { event: 'expired', outcome: 'requires_action', code, next: 'end_link' }
  }
  const outcome = plan.decided_by === 'default' || plan.outcome === 'cut' ? undefined : formatPlan(plan)
  switch (plannedOutcome(plan)) {
    case 'succeeded':
      return { event: 'succeeded', outcome, next: 'wait' }
    case 'failed':
      return { event: 'failed', outcome, code: 'code' in plan ? plan.code : undefined, next: 'wait' }
    case 'requires_action':
      return { event: 'succeeded', outcome, next: 'pay' }
    case 'pending':
      return { event: 'expired', outcome, code: 'session_timeout', next: 'end_session' }
  }
}

function isLoopbackReturn({ return_url }: Payment): boolean {
  return return_url !== undefined && parsedUrl(return_url)?.protocol === 'http:'
}

/** Removes the query, because it can contain a secret, and anyone who knows the page's address can open the page. */
function withoutQuery(url: string | undefined): string | undefined {
  return url?.replace(/[?#].*$/s, '')
}

function literal(value: unknown): string {
  return JSON.stringify(value)
}
