// For commands that create objects: an Idempotency-Key, and `--wait` for the final status.

import type { Client } from '../../client/client.ts'
import { ApiError, ConnectionError, UnexpectedResponseError } from '../../client/errors.ts'
import { follow } from '../../client/follow.ts'
import { pause } from '../../domain/promises.ts'
import { systemRandomness } from '../../random.ts'
import { CliError } from '../failure.ts'
import { warnConnectionLost } from '../output/notes.ts'
import type { Session } from '../session.ts'

/**
 * Generates an Idempotency-Key if none is given, so that a create can be repeated safely (spec 5.7). A dry run gets no
 * generated key, so that its output is always the same.
 */
export function chooseIdempotencyKey(
  given: string | undefined,
  { dryRun }: Pick<Session, 'dryRun'>,
): string | undefined {
  if (given !== undefined || dryRun !== undefined) return given
  return `psp-${systemRandomness().uuid()}`
}

/** A created object, and how to read its status again. */
export interface AwaitedObject<T extends { readonly id: string }> {
  /** The name of its type in messages and in the control stream. */
  readonly kind: 'payment' | 'payout' | 'refund'
  readonly created: T
  isFinal(seen: T): boolean
  get(): Promise<T>
  /** The command that shows the object later. */
  readonly showCommand: string
}

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000
/** The limit of the sum of the pauses between reconnects, in ms. */
const RECONNECT_WINDOW = 10_000

/**
 * Returns the object in its final status, or as last seen if a signal ends the command. Follows the control stream, so
 * that polling does not fill the request log. Polls if there is no control stream.
 */
export async function waitForFinalStatus<T extends { readonly id: string }>(
  client: Client,
  awaited: AwaitedObject<T>,
  session: Session,
): Promise<T> {
  await noteWaiting(session, client, awaited)
  if (awaited.isFinal(awaited.created)) return awaited.created
  try {
    return await followUntilFinal(client, awaited, session)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof UnexpectedResponseError)) throw lostServerError(awaited, error)
  }
  try {
    return await pollUntilFinal(awaited, session)
  } catch (error) {
    throw lostServerError(awaited, error)
  }
}

/** With a frozen clock, the status does not change by itself. */
async function noteWaiting<T extends { readonly id: string }>(
  { out }: Session,
  client: Client,
  { kind, created }: AwaitedObject<T>,
): Promise<void> {
  if (out.json) return
  // The real service has no clock to read.
  const clock = await client.control.clock.get().catch(() => undefined)
  const frozenText = clock?.mode === 'frozen' ? '; the clock is frozen until `psp clock advance` moves it' : ''
  out.note(out.notePaint.dim(`${kind} ${created.id}: waiting for its final status${frozenText}`))
}

/** If the server was lost, returns an error that says that the object exists. Other errors are returned unchanged. */
function lostServerError<T extends { readonly id: string }>(
  { kind, created, showCommand }: AwaitedObject<T>,
  error: unknown,
): unknown {
  if (!(error instanceof ConnectionError)) return error
  const message = `${kind} ${created.id} was created, but its final status is unknown: ${error.message}`
  return new CliError('unreachable', message, `\`${showCommand}\` shows it once the server is back.`)
}

async function followUntilFinal<T extends { readonly id: string }>(
  client: Client,
  { kind, created, isFinal, get }: AwaitedObject<T>,
  session: Session,
): Promise<T> {
  const { host, signals } = session
  const controller = new AbortController()
  const end = () => controller.abort()
  signals.ended.addEventListener('abort', end, { once: true })
  let latest = created
  const take = (seen: T) => {
    if (seen.id !== created.id || isFinal(latest)) return
    latest = seen
    if (isFinal(latest)) end()
  }
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: host.systemClock,
    signal: controller.signal,
    // The status may have changed before the stream was opened.
    onOpen: async () => take(await get()),
    onState: warnConnectionLost(session),
    maxReconnectWait: RECONNECT_WINDOW,
  })
  for await (const { event, data } of messages) {
    if (event === kind) take((JSON.parse(data) as { [kind: string]: T })[kind] as T)
    else if (event === 'gap' || event === 'reset') take(await get())
  }
  return latest
}

/** Polls at growing intervals. The real service has no control stream. */
async function pollUntilFinal<T extends { readonly id: string }>(
  { created, isFinal, get }: AwaitedObject<T>,
  { host, signals }: Session,
): Promise<T> {
  let latest = created
  let wait = FIRST_PAUSE
  while (!isFinal(latest) && !signals.ended.aborted) {
    await pause(wait, host.systemClock)
    wait = Math.min(wait * 1.5, LONGEST_PAUSE)
    latest = await get()
  }
  return latest
}
