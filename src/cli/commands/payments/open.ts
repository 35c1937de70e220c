import { openPage } from '../../browser.ts'
import type { NoFlags, Run } from '../../command.ts'
import type { PAYMENT_ID } from './arguments.ts'

export const run: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const { client, url } = await session.target('none')
  const payment = await client.payments.get(args.id)
  const page = `${url}/pay/${encodeURIComponent(payment.id)}`
  if (out.json) out.document({ payment_url: page })
  else out.line(page)
  await openPage(client, payment.id, page)
  return 0
}
