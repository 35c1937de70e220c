import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printPage } from '../../output/table.ts'
import { inLanguage, openPage } from '../../process/browser.ts'
import { keyScope, resolveId } from '../../target/resolve-objects.ts'
import type { DECLINE_FLAGS, LIST_FLAGS, OPEN_FLAGS, PAY_FLAGS, PAYMENT_ID } from '../payments.ts'
import { decidedBy, documentPayment, PAYMENT_COLUMNS, printPayment } from './view.ts'

export const get: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const payment = await client.payments.get(id)
  if (session.out.json) documentPayment(session.out, payment)
  else printPayment(session.out, payment, { decidedBy: await decidedBy(client, id) })
  return 0
}

export const list: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { client } = await session.target()
  const scope = await keyScope(client, session, flags.shop_id)
  const page = await client.control.lists.payments({ ...flags, ...scope })
  const nothing = 'No payments. Create one: psp payments create --amount 100'
  return await printPage(session.out, page, PAYMENT_COLUMNS, nothing, flags)
}

export const cancel: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const reply = await client.payments.cancel(id)
  if (session.out.json) session.out.document(reply)
  else session.out.line(`payment ${id} cancelled`)
  return 0
}

export const pay: Run<typeof PAYMENT_ID, typeof PAY_FLAGS> = async ({ args, flags, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const payment = await client.control.act.payment(id, { action: 'pay', method: flags.method })
  if (session.out.json) session.out.document(payment)
  else printPayment(session.out, payment)
  return 0
}

export const decline: Run<typeof PAYMENT_ID, typeof DECLINE_FLAGS> = async ({ args, flags, session }) => {
  const { client } = await session.target()
  const id = await resolveId(client.control.lists.payments, args.id)
  const payment = await client.control.act.payment(id, { action: 'decline', failure_code: flags.code })
  if (session.out.json) session.out.document(payment)
  else printPayment(session.out, payment)
  return 0
}

export const open: Run<typeof PAYMENT_ID, typeof OPEN_FLAGS> = async ({ args, flags, session }) => {
  const { out } = session
  const { client, url } = await session.target('none')
  const id = await resolveId(client.control.lists.payments, args.id)
  const payment = await client.payments.get(id)
  const page = inLanguage(`${url}/pay/${encodeURIComponent(payment.id)}`, flags.lang)
  if (out.json) out.document({ payment_url: page })
  else out.line(page)
  await openPage(client, session, { paymentId: payment.id, url: page })
  return 0
}
