// A payment as a command and as a test that reproduce it, to copy from the panel.
import type { Payment } from '../../domain/payment.ts'
import { formatPlan } from '../../domain/simulator-plan.ts'

/** Returns the `psp` commands that create the same payment with the same outcome. */
export function asCommand(payment: Payment): string {
  const { currency, method } = payment
  const flags: readonly (readonly [string, string | undefined])[] = [
    ['--amount', String(payment.amount)],
    ['--currency', currency === 'RUB' ? undefined : currency],
    ['--method', method === 'any' ? undefined : method],
    ['--order-id', payment.order_id],
    ['--description', payment.description],
    ['--return-url', payment.return_url],
    ['--webhook-url', withoutQuery(payment.webhook_url)],
    ['--outcome', outcomeOf(payment)],
  ]
  const text = flags.map(([flag, value]) => (value === undefined ? '' : ` ${flag} ${shellWord(value)}`)).join('')
  const create = `psp payments create${text}`
  if (payment.status === 'cancelled') return `${create}\npsp payments cancel ${payment.id}`
  if (isExpired(payment)) return `${create}\npsp clock advance ${isSessionExpired(payment) ? '21m' : '24h'}`
  return create
}

/** Returns a test for `node --test` with `psp-sandbox/testing`. */
export function asTest(payment: Payment): string {
  const { status, currency, method, metadata, order_id } = payment
  const body = {
    amount: payment.amount,
    ...(currency !== 'RUB' && { currency }),
    ...(method !== 'any' && { method }),
    order_id,
    description: payment.description,
    return_url: payment.return_url,
  }
  const code = metadata['failure_code']
  const end = END_EVENTS[status as keyof typeof END_EVENTS] ?? 'succeeded'
  const outcome = outcomeOf(payment)
  const options = outcome === undefined ? '' : `, { outcome: ${literal(outcome)} }`
  const actions =
    status === 'cancelled'
      ? ['await psp.payments.cancel(payment.id)']
      : [`await psp.clock.advance('${end === 'expired' ? (isSessionExpired(payment) ? '21m' : '24h') : '10s'}')`]
  return [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { startSandbox } from 'psp-sandbox/testing'",
    '',
    `test(${literal(`the payment of order ${order_id}: ${end}`)}, async (t) => {`,
    "  const psp = await startSandbox({ clock: 'frozen' })",
    '  t.after(() => psp.close())',
    `  const { payment } = await psp.payments.create(${literal(body)}${options})`,
    ...actions.map((line) => `  ${line}`),
    `  const event = await psp.waitFor('payment.${end}', { order_id: ${literal(order_id)} })`,
    '  assert.equal(event.data.id, payment.id)',
    ...(code === undefined ? [] : [`  assert.equal(event.data.metadata.failure_code, ${literal(code)})`]),
    '})',
    '',
  ].join('\n')
}

const END_EVENTS = { failed: 'failed', expired: 'expired', cancelled: 'cancelled' } as const

/** Returns the plan that leads to the status, or that of the payment while it is not final. */
function outcomeOf(payment: Payment): string | undefined {
  const { status, metadata, plan } = payment
  if (status === 'failed') return `failed:${metadata['failure_code']}`
  if (status === 'succeeded' || status === 'refunded') return 'succeeded'
  if (isExpired(payment)) return isSessionExpired(payment) ? 'pending' : 'requires_action'
  if (status === 'cancelled') return 'requires_action'
  return plan.decided_by === 'default' ? undefined : formatPlan(plan)
}

function isExpired({ status }: Payment): boolean {
  return status === 'expired'
}

function isSessionExpired({ metadata }: Payment): boolean {
  return metadata['failure_code'] === 'session_timeout'
}

/** The query of a receiver can contain a secret, and the page has no other access control than its address. */
function withoutQuery(url: string | undefined): string | undefined {
  return url?.replace(/[?#].*$/s, '')
}

/** Quotes a word for a POSIX shell, if it needs quotes. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A JavaScript literal. */
function literal(value: unknown): string {
  return JSON.stringify(value)
}
