import { openBrowser } from '../../browser.ts'
import type { NoFlags, Run } from '../../command.ts'
import { CliError } from '../../failure.ts'
import type { PAYMENT_ID } from './arguments.ts'

export const run: Run<typeof PAYMENT_ID, NoFlags> = async ({ args, session }) => {
  const { out } = session
  const { client, url, kind } = await session.target()
  const payment = await client.payments.get(args.id)
  if (kind === 'embedded') {
    throw new CliError(
      'unreachable',
      'The hosted page needs a running server.',
      'Start one with `psp serve`, then try again.',
    )
  }
  const page = `${url}/pay/${encodeURIComponent(payment.id)}`
  if (out.json) out.document({ payment_url: page })
  else out.line(page)
  await openBrowser(page)
  return 0
}
