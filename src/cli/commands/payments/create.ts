import type { Client } from '../../../client/client.ts'
import type { CreatePaymentResponse } from '../../../client/public-types.ts'
import { countOf } from '../../../domain/count-text.ts'
import type { PublicPayment } from '../../../domain/payment.ts'
import { isFinalPayment } from '../../../domain/payment-states.ts'
import type { NoArguments, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import type { Detail } from '../../output/result.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { inLanguage, tryOpenPage } from '../../process/browser.ts'
import type { Session, Target } from '../../session.ts'
import { type AwaitedObject, chooseIdempotencyKey, waitForFinalStatus } from '../../target/final-status.ts'
import type { CREATE_FLAGS } from '../payments.ts'
import { createMany } from './create-many.ts'
import { decidedBy, documentPayment, printPayment } from './view.ts'

type Flags = FlagValues<typeof CREATE_FLAGS>

export const create: Run<NoArguments, typeof CREATE_FLAGS> = async ({ flags, session }) => {
  const body = bodyOf(flags)
  if (flags.lang !== undefined && !flags.open) throw usageError('--lang needs --open.', 'Add --open.')
  // The page needs a server that keeps running.
  const target = await session.target(flags.open ? 'none' : undefined)
  const { client } = target
  const options = () => ({
    idempotencyKey: chooseIdempotencyKey(flags.idempotency_key, session),
    outcome: flags.outcome,
  })
  if (flags.count !== undefined && session.dryRun === undefined) {
    return await createMany(session, {
      create: () => client.payments.create(body, options()),
      count: flags.count,
      concurrency: flags.concurrency ?? 8,
    })
  }
  if (flags.count !== undefined)
    session.dryRun?.remarks.push(`Would send this request ${countOf(flags.count, 'time')}.`)
  let response = await client.payments.create(body, options())
  const problem = flags.open ? await openInBrowser(response, client, flags, session) : undefined
  if (flags.wait) {
    // The user needs the address of the page now, because the wait may end only after the buyer has paid there.
    if (problem !== undefined) session.out.note(problem)
    response = {
      ...response,
      payment: await waitForFinalStatus(client, awaitedPayment(client, response.payment), session),
    }
  }
  await show(session, response, target)
  if (problem !== undefined && !flags.wait) session.out.aside(problem)
  return 0
}

/** Returns why the browser could not be started. The payment exists, so the command does not fail. */
async function openInBrowser(
  { payment, payment_url }: CreatePaymentResponse,
  client: Client,
  { lang }: Flags,
  session: Session,
): Promise<string | undefined> {
  const page = { paymentId: payment.id, url: inLanguage(payment_url, lang) }
  const failure = await tryOpenPage(client, session, page)
  return failure && `${failure.message} ${failure.hint}`
}

function awaitedPayment(client: Client, created: PublicPayment): AwaitedObject<PublicPayment> {
  return {
    kind: 'payment',
    created,
    isFinal: ({ status }) => isFinalPayment(status),
    get: () => client.payments.get(created.id),
    showCommand: `psp payments get ${created.id}`,
  }
}

function bodyOf(flags: Flags) {
  if (flags.amount === undefined)
    throw usageError('--amount is missing.', 'In minor units: psp payments create --amount 100')
  if (flags.count !== undefined && flags.idempotency_key !== undefined) {
    throw usageError('--count with one --idempotency-key would create only one payment.', 'Omit one of them.')
  }
  if (flags.count !== undefined && (flags.open || flags.wait)) {
    throw usageError('--open and --wait work for one payment only.', 'Omit --count.')
  }
  return {
    amount: flags.amount,
    currency: flags.currency,
    method: flags.method,
    order_id: flags.order_id,
    customer_id: flags.customer_id,
    return_url: flags.return_url,
    description: flags.description,
    webhook_url: flags.webhook_url,
    metadata: flags.metadata.length === 0 ? undefined : Object.fromEntries(flags.metadata),
  }
}

function payUrl({ payment_url }: CreatePaymentResponse, target: Target): string {
  return target.kind === 'embedded' ? `${payment_url}, ${whenServed(target)}` : payment_url
}

async function show({ out }: Session, response: CreatePaymentResponse, target: Target): Promise<void> {
  if (out.json) {
    documentPayment(out, response.payment, response)
    if (target.kind === 'embedded') out.aside(out.notePaint.dim(`Its payment_url works ${whenServed(target)}.`))
    return
  }
  const more: Detail[] = [
    [
      'refused',
      response.failure_code === undefined ? undefined : `${response.failure_code}: ${response.failure_message}`,
    ],
    ['repeated', response.idempotent ? 'yes: the key was used before' : undefined],
    ['pay at', isFinalPayment(response.payment.status) ? undefined : payUrl(response, target)],
  ]
  printPayment(out, response.payment, { more, decidedBy: await decidedBy(target.client, response.payment.id) })
}

/** Without a server, the page of a payment works later. */
function whenServed({ neighbour }: Target): string {
  if (neighbour === undefined) return 'when `psp serve` runs'
  return `when \`psp serve\` runs there; now another sandbox without this payment is at ${neighbour.url}`
}
