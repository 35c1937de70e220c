import { createHash } from 'node:crypto'
import type { Client } from '../../../client/client.ts'
import type { ListenerView } from '../../../client/listener-types.ts'
import { countOf } from '../../../domain/count-text.ts'
import { deferred, unlessAborted, untilAborted } from '../../../domain/promises.ts'
import type { NoArguments, Run } from '../../command.ts'
import { usageError } from '../../failure.ts'
import { noteClock } from '../../output/notes.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { requireSendable } from '../../parsing/parse-header.ts'
import { DRAIN_TIME_LIMIT, endCode } from '../../process/signals.ts'
import type { Session, Target } from '../../session.ts'
import type { LISTEN_FLAGS } from '../listen.ts'
import { createForwarder } from './forwarder.ts'
import { connectListener, TakenOverError } from './listener-connection.ts'
import { type Forwarding, planForwarding } from './plan.ts'
import { createReporter } from './reporter.ts'

type Flags = FlagValues<typeof LISTEN_FLAGS>

/** Forwards webhooks until the first signal. Webhooks in flight then have {@link DRAIN_TIME_LIMIT} to finish. */
export const run: Run<NoArguments, typeof LISTEN_FLAGS> = async ({ flags, session }) => {
  if (flags.print_secret) return await printSecret(flags, session)
  if (flags.forward.length === 0 && flags.route.length === 0) {
    throw usageError(
      '--forward is missing.',
      'Give the URL of your application: psp listen --forward localhost:3000/hooks',
    )
  }
  requireSendable(flags.header)
  session.out.tolerateFailedWrites()
  const plan = planForwarding(flags.forward, flags.route, flags.events)
  const target = await session.target('server')
  const { host, signals } = session
  const forwarder = createForwarder({ timeout: flags.timeout, headers: flags.header, systemClock: host.systemClock })
  // `open` loads undici early. If that fails, the first webhook loads it again and reports an error.
  forwarder.open().catch(() => {})
  const reporter = createReporter(session, target.client, flags.show_body)
  const opened = await unlessAborted(
    Promise.all(plan.map((one) => openListener(target.client, one, flags))),
    signals.ended,
  )
  const { allOpen, onOpen } = countdown(opened.length, () => reporter.ready(target.url, opened))
  // The listeners share this, so that each response is printed below its request.
  const unprinted = new Set<Promise<void>>()
  const connections = opened.map((listener, at) =>
    connectListener({
      client: target.client,
      listener,
      reopen: () => openListener(target.client, plan[at] as Forwarding, { ...flags, backfill: undefined }),
      onOpen,
      allOpen,
      unprinted,
      timeout: flags.timeout,
      forwarder,
      reporter,
      session,
    }),
  )
  try {
    allOpen.then(() => noteClock(target.client, session, 'machine'))
    await Promise.all(connections.map(({ ended }) => ended)).catch((error) => keepServing(error, target, session))
  } finally {
    const drained = Promise.all(connections.map(({ drain }) => drain()))
    await waitAtMost(drained, session, signals.ended.aborted ? DRAIN_TIME_LIMIT : 0)
    const left = connections.reduce((sum, { abandon }) => sum + abandon(), 0)
    if (left > 0 && signals.ended.aborted)
      session.out.warn(`${countOf(left, 'forwarded webhook')} had no response yet.`)
    for (const { close } of connections) session.keepOpenFor(close())
    await forwarder.close()
  }
  return endCode(signals)
}

/** If this process runs the server and another `psp listen` takes over, the other command still needs the server. */
async function keepServing(error: unknown, { kind, url }: Target, { out, signals }: Session): Promise<void> {
  if (!(error instanceof TakenOverError) || kind !== 'own server' || signals.ended.aborted) throw error
  out.warn(`Another psp listen now forwards to the same URL. The server at ${url} keeps running here. Ctrl-C stops it.`)
  await untilAborted(signals.ended)
}

/** Returns a function to call `count` times. Its last call calls `onAllOpen`, and then resolves `allOpen`. */
function countdown(count: number, onAllOpen: () => void): { allOpen: Promise<void>; onOpen: () => void } {
  let left = count
  const { promise: allOpen, resolve } = deferred()
  const onOpen = () => {
    left--
    if (left > 0) return
    onAllOpen()
    resolve()
  }
  return { allOpen, onOpen }
}

/** Prints only the secret, for `PSP_WEBHOOK_SECRET=$(psp listen --print-secret)`. */
async function printSecret(flags: Flags, session: Session): Promise<number> {
  const { client } = await session.target('read')
  const listener = await openListener(client, { url: 'http://localhost', events: [] }, flags)
  await client.control.listeners.close(listener.id)
  if (session.out.json) session.out.document({ webhook_secret: listener.secret })
  else session.out.line(listener.secret)
  return 0
}

function openListener(client: Client, { url, events }: Forwarding, flags: Flags): Promise<ListenerView> {
  return client.control.listeners.open({
    id: listenerId(url, events, flags),
    url,
    events,
    signature: flags.signature,
    backfill: flags.backfill,
    shop_id: flags.shop,
  })
}

/**
 * Returns an id that depends only on the options, so that a new process continues the work of a killed one. Two
 * processes with the same URL and different events have different listeners.
 */
function listenerId(url: string, events: Forwarding['events'], { shop = '', signature }: Flags): string {
  const options = [shop, url, ...events, signature ?? ''].filter((part) => part !== '').join(' ')
  return `lst_${createHash('sha256').update(options).digest('hex').slice(0, 16)}`
}

async function waitAtMost(work: Promise<unknown>, { host }: Session, ms: number): Promise<void> {
  await new Promise<void>((done) => {
    const deadline = host.systemClock.setTimeout(done, ms)
    work.finally(() => {
      deadline.cancel()
      done()
    })
  })
}
