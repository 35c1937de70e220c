// Spec 3.4: the return of the buyer does not prove a payment, because the buyer can change the address.
import { quoteText } from '../domain/characters.ts'
import { isSuccess } from '../domain/http-response.ts'
import { returnLocation } from '../domain/return-url.ts'
import type { Check, Message, MessageValues, Step } from './check.ts'
import {
  becameLike,
  changes,
  type Effect,
  formatEffect,
  hasChanged,
  type Judgement,
  RIGHT,
  unseen,
  wrong,
} from './effect.ts'
import { CHECK_ADDRESS } from './judge-pages.ts'
import { buildMessage } from './message.ts'
import { comparePages, type Page } from './page.ts'
import { filledUrl } from './probe.ts'
import { eventBody, failedPayment, paidPayment, type Sample, subjectOf } from './sample.ts'

export const RETURN_PAGE = 'return_page'

/** Positions of two steps, and of their effects. */
const PAYING = 0
const FORGED_RETURN = 3

/** @param address the address of the page, with `{order_id}` and `{payment_id}` in it */
export function returnCheck(address: string): Check {
  return {
    id: RETURN_PAGE,
    needsOrderProbe: true,
    title: 'does not trust the status in the return address',
    sent: 'payment.failed, then the return of its buyer with status=succeeded',
    expect: 'accept',
    expected: 'a page and an order that do not show a successful payment',
    why: 'A buyer can change the address of the page. A shop that trusts it ships unpaid orders.',
    fix: 'Ignore status= in the address. Show the state that webhooks set, or call GET /v1/public/payments/{payment_id}.',
    steps(values) {
      const paid = paidPayment(values)
      const [failed, forged] = [failedPayment(values), failedPayment(values)]
      // The forged return is the first visit, so that no earlier visit can correct the state of its order.
      return [
        webhook(values, paid, 'payment.succeeded'),
        webhook(values, failed, 'payment.failed'),
        webhook(values, forged, 'payment.failed'),
        buyer(address, forged, 'succeeded'),
        buyer(address, paid, 'succeeded'),
        buyer(address, failed, 'failed'),
      ]
    },
    judge: (effects) => judgeEffects(effects),
    judgePages,
  }
}

function webhook(values: MessageValues, payment: Sample, event: 'payment.succeeded' | 'payment.failed'): Step {
  return { about: subjectOf(payment), messages: [buildMessage(values, eventBody(values, event, payment))] }
}

function buyer(address: string, payment: Sample, status: 'succeeded' | 'failed'): Step {
  const about = subjectOf(payment)
  const visit = returnLocation(filledUrl(address, about), payment.id, status)
  return { about, messages: [{ headers: [], body: new Uint8Array(), visit } satisfies Message] }
}

/** The check fails if the forged return changes a field in the same way as a payment does. */
function judgeEffects(effects: readonly Effect[]): Judgement {
  const [paying, forged] = [effects[PAYING], effects[FORGED_RETURN]]
  if (paying === undefined || forged === undefined || !hasChanged(paying)) {
    return unseen('the value of the probe did not change when a payment succeeded')
  }
  if (!hasChanged(forged)) return RIGHT
  const isPaid = forged.isPerOrder ? becameLike(forged, paying).length > 0 : movedAlike(forged, paying)
  if (isPaid) return wrong(`the forged return changed ${formatEffect(forged)}, as a payment does`)
  return unseen(`the forged return changed ${formatEffect(forged)}, unlike a payment`)
}

function movedAlike(forged: Effect, paying: Effect): boolean {
  const by = changes(paying)
  return [...changes(forged)].some(([path, change]) => change !== 0 && change === by.get(path))
}

/** The pages are in the order of the returns. */
function judgePages([forged, paid, failed]: readonly Page[]): Judgement {
  if (forged === undefined || paid === undefined || failed === undefined) return unseen('a page is missing')
  if (!isSuccess(paid.status)) {
    return wrong(`the page responded ${paid.status} to a buyer who had paid`, CHECK_ADDRESS)
  }
  const { first: ofPaid, second: ofFailed, areAlike } = comparePages(paid, failed, forged)
  if (areAlike) return unseen('the page is the same after a payment that succeeded and after one that failed')
  if (ofPaid.length > 0 && ofFailed.length === 0) {
    return wrong(`the page shows ${quoted(ofPaid)}, as after a payment that succeeded`)
  }
  if (ofPaid.length > 0) {
    return unseen(
      `the page shows ${quoted(ofPaid)} of a payment that succeeded and ${quoted(ofFailed)} of one that failed`,
    )
  }
  return RIGHT
}

const MOST = 3

function quoted(pieces: readonly string[]): string {
  const shown = pieces.slice(0, MOST).map((piece) => quoteText(piece))
  return shown.join(', ') + (pieces.length > MOST ? ` and ${pieces.length - MOST} more` : '')
}
