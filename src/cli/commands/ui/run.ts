import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { explain } from '../../failure.ts'
import { colourLevel } from '../../output/colour.ts'
import { openPage } from '../../process/browser.ts'
import type { Session } from '../../session.ts'
import { hasUnicode } from './has-unicode.ts'
import { watchProcess } from './watch-process.ts'

/** Returns 0 if the user quits, or at the first SIGINT or SIGTERM. */
export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { host, out, values, signals } = session
  const { terminal } = host
  if (terminal === undefined || out.json || host.env['TERM'] === 'dumb') return await lines(session)
  const target = await session.target('server')
  // Report connection and access errors before the view uses the screen.
  await target.client.control.clock.get()
  const { openView } = await import('../../../tui/view.tsx')
  const watched = watchProcess(signals.ended)
  let code = 0
  try {
    await openView({
      client: target.client,
      url: target.url,
      embedded: target.kind === 'own server',
      payUrl: (values.pay_url ?? target.url).replace(/\/+$/, ''),
      terminal,
      colour: colourLevel(values.color, host.env, true) > 0,
      unicode: hasUnicode(host.env),
      systemClock: host.systemClock,
      openPage: (paymentId, url) => openPage(target.client, session, { paymentId, url }),
      explain: sentence,
      onExit: watched.onExit,
      signal: watched.ended,
    })
  } finally {
    code = watched.stop()
  }
  return code
}

async function lines(session: Session): Promise<number | undefined> {
  if (!session.out.json)
    session.out.note(session.out.notePaint.dim('stdout is not a terminal, so this is the output of `psp tail`.'))
  const tail = await import('../tail/run.ts')
  return await tail.run({ args: {}, flags: { kinds: [], raw: false, shop: undefined }, session })
}

function sentence(error: unknown): string {
  const { message, hint } = explain(error)
  return error instanceof Error && 'hint' in error ? `${message} ${hint}` : message
}
