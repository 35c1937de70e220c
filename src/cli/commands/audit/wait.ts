// `--wait`: waits for a handler that was just started in the background, as in CI.

import { connect } from 'node:net'
import { bareHost } from '../../../domain/loopback.ts'
import { describeFailure } from '../../../domain/request-errors.ts'
import { formatDuration } from '../../../domain/time.ts'
import { CliError } from '../../failure.ts'
import type { Session } from '../../session.ts'

const PAUSE = 100
/** Timeout of one connection, in ms. */
const PATIENCE = 2000

/** Waits until a server accepts connections at the URL. @throws {CliError} `timed_out` */
export async function waitForHandler(url: string, limit: number, session: Session): Promise<void> {
  const { host, signals } = session
  const end = host.systemClock.monotonic() + limit
  for (;;) {
    const failure = await tryConnect(url, session)
    if (failure === undefined) return
    if (signals.ended.aborted) throw signals.ended.reason
    if (host.systemClock.monotonic() >= end) {
      const why = describeFailure(failure, url, 'connecting')
      throw new CliError(
        'timed_out',
        `${url} cannot be audited: within ${formatDuration(limit)} nothing accepted a connection. ${why}`,
        'Look at the log of the handler, or give it longer: --wait 2m.',
      )
    }
    await new Promise<void>((done) => void host.systemClock.setTimeout(done, PAUSE))
  }
}

function tryConnect(url: string, { host }: Session): Promise<unknown> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({
      host: bareHost(hostname),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      autoSelectFamily: true,
    })
    const late = host.systemClock.setTimeout(
      () => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
      PATIENCE,
    )
    const over = (failure?: unknown) => {
      late.cancel()
      socket.destroy()
      resolve(failure)
    }
    socket.once('connect', () => over())
    socket.once('error', over)
  })
}
