import type { Client } from '../../../client/client.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/result.ts'
import { inLanguage, openPage } from '../../process/browser.ts'
import { listSubcommand, resultSubcommand } from '../../subcommand.ts'
import { keyScope, resolveId } from '../../target/resolve-objects.ts'
import type { DECLINE_FLAGS, LIST_FLAGS, OPEN_FLAGS, PAY_FLAGS, PAYMENT_ID } from '../payments.ts'
import { decidedBy, documentPayment, PAYMENT_COLUMNS, printPayment } from './view.ts'

export const get: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await idOf(client, args.id)
  const payment = await client.payments.get(id)
  if (session.out.json) documentPayment(session.out, payment)
  else printPayment(session.out, payment, { decidedBy: await decidedBy(client, id) })
  return 0
}

export const list: Run<NoArguments, typeof LIST_FLAGS> = listSubcommand(
  async (client, { flags, session }) =>
    client.control.lists.payments({ ...flags, ...(await keyScope(client, session, flags.shop_id)) }),
  PAYMENT_COLUMNS,
  'No payments. Create one: psp payments create --amount 100',
)

export const cancel: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target()
  const id = await idOf(client, args.id)
  return await printResult(session.out, await client.payments.cancel(id), () =>
    session.out.line(`payment ${id} cancelled`),
  )
}

export const pay: Run<typeof PAYMENT_ID, typeof PAY_FLAGS> = resultSubcommand(
  async (client, { args, flags: { method } }) =>
    client.control.act.payment(await idOf(client, args.id), { action: 'pay', method }),
  (out, payment) => printPayment(out, payment),
)

export const decline: Run<typeof PAYMENT_ID, typeof DECLINE_FLAGS> = resultSubcommand(
  async (client, { args, flags: { code } }) =>
    client.control.act.payment(await idOf(client, args.id), { action: 'decline', failure_code: code }),
  (out, payment) => printPayment(out, payment),
)

export const open: Run<typeof PAYMENT_ID, typeof OPEN_FLAGS> = async ({ args, flags, session }) => {
  const { out } = session
  const { client, url } = await session.target('none')
  const id = await idOf(client, args.id)
  const payment = await client.payments.get(id)
  const page = inLanguage(`${url}/pay/${encodeURIComponent(payment.id)}`, flags.lang)
  if (out.json) out.document({ payment_url: page })
  else out.line(page)
  await openPage(client, session, { paymentId: payment.id, url: page })
  return 0
}

function idOf({ control }: Client, text: string): Promise<string> {
  return resolveId(control.lists.payments, text)
}
