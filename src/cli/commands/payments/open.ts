import type { Run } from '../../command.ts'
import { resolveId } from '../../parsing/resolve-id.ts'
import { inLanguage, openPage } from '../../process/browser.ts'
import type { PAYMENT_ID } from './arguments.ts'
import type { OPEN_FLAGS } from './flags.ts'

export const run: Run<typeof PAYMENT_ID, typeof OPEN_FLAGS> = async ({ args, flags, session }) => {
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
