// Performs the effects of forms and buttons, and shows results as toasts. Lists show only what the server confirmed.
import { useContext } from 'preact/hooks'
import { formatMoney } from '../../domain/currency.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import type { Effect } from '../../view-model/effect.ts'
import { type Translate, useText } from '../text/translate.ts'
import { sentText } from './sent-text.ts'
import { type Store, StoreContext, type ToastContent } from './store.ts'

/** The effects that the dashboard uses. Only the terminal view uses the other effects. */
export type PerformableEffect = Extract<
  Effect,
  {
    do:
      | 'create_payment'
      | 'create_payout'
      | 'pay'
      | 'decline'
      | 'settle'
      | 'cancel'
      | 'refund'
      | 'replay'
      | 'retry'
      | 'advance'
      | 'copy'
  }
>

/** Returns a function that performs an effect, shows its result or error as a toast, and returns false on error. */
export function usePerform(): (effect: PerformableEffect) => Promise<boolean> {
  // A change of the state must not render the component again.
  const store = useContext(StoreContext) as Store
  const t = useText()
  return async (effect) => {
    try {
      const outcome = await perform(effect, store, t)
      store.refresh()
      store.toast(typeof outcome === 'string' ? { text: outcome } : outcome)
      return true
    } catch (error) {
      store.fail(error)
      return false
    }
  }
}

/** Opens the page of a payment in a new browser tab, which cannot access this one. */
export function openHostedPage(base: string, id: string, t: Translate): void {
  window.open(hostedPageUrl(base, id, t), '_blank', 'noopener')
}

/** Returns the address of the page of a payment in the language of the dashboard. */
export function hostedPageUrl(base: string, id: string, { language }: Translate): string {
  return `${base}/pay/${encodeURIComponent(id)}?lang=${language}`
}

async function perform(effect: PerformableEffect, store: Store, t: Translate): Promise<string | ToastContent> {
  const { client } = store.state().session
  const { control } = client
  const { merchant, act, clock, events } = control
  switch (effect.do) {
    case 'create_payment': {
      const { id, amount, currency, status } = await merchant.createPayment({ ...effect.body, outcome: effect.outcome })
      store.go({ view: 'payments', id, query: {} })
      return t('done_created', { what: formatMoney(amount, currency), status })
    }
    case 'create_payout': {
      const { id, amount, currency, status } = await merchant.createPayout({ ...effect.body, outcome: effect.outcome })
      store.go({ view: 'payouts', id, query: {} })
      return t('done_created', { what: formatMoney(amount, currency), status })
    }
    case 'pay':
      return t('done_status', await act.payment(effect.id, { action: 'pay' }))
    case 'decline':
      return t('done_status', await act.payment(effect.id, { action: 'decline', failure_code: effect.code }))
    case 'settle':
      return t(
        'done_status',
        await act.payout(effect.id, { action: 'settle', status: effect.status, failure_code: effect.code }),
      )
    case 'cancel':
      return t('done_status', await merchant.cancelPayment(effect.id))
    case 'refund': {
      const { amount, reason } = effect
      const { status } = await merchant.refundPayment(effect.id, omitUndefined({ amount, reason }))
      return t('done_refund', { status })
    }
    case 'replay':
      return sentText((await events.replay(effect.event_id)).items, t)
    case 'retry':
      return resend(effect.delivery_id, store, t)
    case 'advance':
      store.setAdvancing(true)
      try {
        return t('done_advanced', await clock.advance(effect.body))
      } finally {
        store.setAdvancing(false)
      }
    case 'copy':
      await copyText(effect.text)
      return t('done_copied')
  }
}

async function resend(id: string, store: Store, t: Translate): Promise<ToastContent> {
  const delivery = await store.state().session.client.control.deliveries.retry(id)
  store.showAttempt(id, delivery.attempts.length)
  return sentText([delivery], t)
}

/** Copies text. A page that another machine serves without TLS has no clipboard API. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text)
    return
  }
  const field = document.createElement('textarea')
  field.value = text
  // A modal dialog makes everything outside of it inert.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('The browser did not allow copying.')
}
