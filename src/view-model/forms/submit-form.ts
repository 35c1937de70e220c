// Converts a form to the effect it requests, or to the problem with its values.
import type { AdvanceBody } from '../../client/control-simulator.ts'
import { formatMoney, minorUnits } from '../../domain/currency.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import { parseDuration, parseInstant } from '../../domain/time.ts'
import type { Effect, SingleCall } from '../effect.ts'
import type { Form, Values } from './form.ts'
import { AUTOMATIC, parseMoney } from './form-fields.ts'

export type Submission = { readonly effect: Effect } | { readonly problem: string }

export function submitForm(form: Form): Submission {
  switch (form.name) {
    case 'new':
      return submitNew(form.values)
    case 'decline':
      return submitDecline(form)
    case 'refund':
      return submitRefund(form)
    case 'resend':
      return submitResend(form)
    case 'advance':
      return submitAdvance(form.values['by'] ?? '')
  }
}

function submitNew(values: Values): Submission {
  const currency = (values['currency'] ?? '').trim().toUpperCase()
  if (minorUnits(currency) === undefined) return { problem: 'Enter an ISO 4217 currency code, such as RUB or JPY.' }
  const amount = parseMoney(values['amount'] ?? '', currency)
  if (amount === undefined) return { problem: `Enter an amount above 0, such as 1500${decimalExample(currency)}.` }
  const outcome = outcomeOf(values)
  if (outcome === undefined) return { problem: 'Enter a delay such as 30s or 20m, or leave it empty.' }
  const plan = outcome === '' ? undefined : outcome
  if (values['what'] === 'payment') {
    const method = values['method'] as PaymentMethod
    return {
      effect: {
        do: 'create_payment',
        body: { amount, currency, method, order_id: nonEmpty(values['order_id']) },
        outcome: plan,
      },
    }
  }
  const phone = nonEmpty(values['phone'])
  const bank_id = nonEmpty(values['bank_id'])
  if (phone === undefined || bank_id === undefined) return { problem: 'A payout needs a phone and a bank.' }
  const full_name = nonEmpty(values['full_name'])
  return { effect: { do: 'create_payout', body: { amount, currency, phone, bank_id, full_name }, outcome: plan } }
}

/** Builds the simulator plan. Empty for the automatic outcome, `undefined` if the delay is not a duration. */
function outcomeOf(values: Values): string | undefined {
  const outcome = values['outcome'] ?? ''
  if (outcome === AUTOMATIC) return ''
  const delay = (values['delay'] ?? '').trim()
  if (delay !== '' && parseDuration(delay) === undefined) return undefined
  const after = delay === '' ? '' : `@${delay}`
  if (outcome === 'failed' || outcome === 'refused') return `${outcome}:${values['code']}${after}`
  return outcome === 'error' ? `error:${values['error']}${after}` : `${outcome}${after}`
}

function submitDecline({ values, subject }: Form): Submission {
  const code = values['code'] ?? ''
  const { id, pane, others } = subject
  const decline = (each: string): SingleCall =>
    pane === 'payouts' ? { do: 'settle', id: each, status: 'failed', code } : { do: 'decline', id: each, code }
  return { effect: others.length === 0 ? decline(id) : { do: 'each', calls: [id, ...others].map(decline) } }
}

function submitResend({ values, subject }: Form): Submission {
  const url = nonEmpty(values['url'])
  if (url === undefined || !/^https?:\/\/[^/]/.test(url))
    return { problem: 'Enter a URL such as http://localhost:3000/hooks.' }
  return { effect: { do: 'replay', event_id: subject.id, url, same_timestamp: values['timestamp'] === 'first' } }
}

function submitRefund({ values, subject }: Form): Submission {
  const { id, currency, remainder } = subject
  const amount = parseMoney(values['amount'] ?? '', currency)
  if (amount === undefined) return { problem: `Enter an amount above 0, such as 1500${decimalExample(currency)}.` }
  if (amount > remainder) return { problem: `At most ${formatMoney(remainder, currency)} can be refunded.` }
  return { effect: { do: 'refund', id, amount, reason: nonEmpty(values['reason']) } }
}

function submitAdvance(text: string): Submission {
  const by = text.trim()
  const body: AdvanceBody | undefined =
    by === 'idle'
      ? { until: 'idle' }
      : (parseDuration(by) ?? 0) > 0
        ? { by }
        : parseInstant(by) === undefined
          ? undefined
          : { to: by }
  if (body === undefined) return { problem: 'Enter 30s, 20m, 2h, 3d, idle, or a time such as 2026-05-06T12:00:00Z.' }
  return { effect: { do: 'advance', body } }
}

function nonEmpty(text: string | undefined): string | undefined {
  const plain = (text ?? '').trim()
  return plain === '' ? undefined : plain
}

function decimalExample(currency: string): string {
  const digits = minorUnits(currency) ?? 0
  return digits === 0 ? '' : ` or 1500.${'5'.padEnd(digits, '0')}`
}
