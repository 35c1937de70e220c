// Connects an exploration to the handler, its probes and its orders.
import { createSend } from '../../../audit/send.ts'
import type { FetchLike } from '../../../client/fetch-like.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import type { ExplorePorts } from '../../../explore/explore-ports.ts'
import { systemRandomness } from '../../../random.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from '../audit.ts'
import { createOrderSource } from './order-source.ts'
import { probesOf } from './probe.ts'
import { BODY_PAUSE, RESPONSE_TIMEOUT, waitForHandler } from './run.ts'
import { auditSecrets } from './secrets.ts'

type Flags = FlagValues<typeof AUDIT_FLAGS>

export interface Exploration {
  readonly ports: ExplorePorts
  /** Aborted by the first signal. The command then prints what it has found. */
  readonly signal: AbortSignal
  close(): void
}

/** @param what the beginning of the first output line, such as `Exploring` */
export async function openExploration(
  url: string,
  flags: Flags,
  session: Session,
  what = 'Exploring',
): Promise<Exploration> {
  const { out, host } = session
  const { systemClock } = host
  // A handler may close an idle connection at any time, so each request uses a new one.
  const { fetch, close } = createNodeFetch({ keepAlive: false })
  let signal: AbortSignal | undefined
  try {
    // Without this, an interrupted probe would continue to read its value until the value settles.
    const unlessEnded: FetchLike = async (...call) => {
      signal?.throwIfAborted()
      return await fetch(...call)
    }
    const probes = probesOf(flags, url, unlessEnded, session)
    if (flags.wait !== undefined) await waitForHandler(url, flags.wait, session)
    const { secret, description } = await auditSecrets(flags.secret, url, session)
    if (!out.json) out.note(out.notePaint.dim(`${what} ${url} with ${description}.`))
    if (probes.length === 0) out.warn(NO_PROBE)
    const random = systemRandomness()
    const timeout = flags.timeout ?? RESPONSE_TIMEOUT
    const ports: ExplorePorts = {
      send: createSend({ url, fetch, timeout, pause: BODY_PAUSE, headers: flags.header, systemClock }),
      probes,
      secret,
      systemClock,
      random,
      order: createOrderSource(url, flags, random, fetch, session),
      metadata: Object.fromEntries(flags.metadata),
    }
    signal = endOnSignal(session)
    return { ports, signal, close }
  } catch (error) {
    close()
    throw error
  }
}

const NO_PROBE =
  "Without a probe only responses are judged. Add --probe 'orders/{order_id}' to find orders in a wrong state, and --probe balance to find wrong sums."

export function noteStop({ out }: Session): void {
  out.note(out.notePaint.dim('Stopping. Press Ctrl-C again to stop at once.'))
}

/** Returns an AbortSignal for the first signal. The session's signal would end the command without a report. */
function endOnSignal({ signals }: Session): AbortSignal {
  const controller = new AbortController()
  signals.intercept(() => controller.abort())
  return controller.signal
}
