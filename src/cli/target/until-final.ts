// `--wait`: until what a command created has its final status.
import type { Client } from '../../client/client.ts'
import { ApiError, ConnectionError, UnexpectedResponseError } from '../../client/errors.ts'
import { follow } from '../../client/follow.ts'
import { CliError } from '../failure.ts'
import { toldOnce } from '../process/server-lost.ts'
import type { Session } from '../session.ts'

/** What a command created, and how its status is read again. */
export interface Settling<T extends { readonly id: string }> {
  /** Its name in messages and in the control stream. */
  readonly kind: 'payment' | 'payout' | 'refund'
  readonly created: T
  isFinal(seen: T): boolean
  get(): Promise<T>
  /** The command that shows it later. */
  readonly shownBy: string
}

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 1000
/** ms in which a server that went away may come back. */
const PATIENCE = 10_000

/** Says what is waited for. If the clock is frozen, nothing ends by itself. A real service has no clock to ask for. */
export async function noteWaiting<T extends { readonly id: string }>(
  { out }: Session,
  client: Client,
  { kind, created }: Settling<T>,
): Promise<void> {
  if (out.json) return
  const clock = await client.control.clock.get().catch(() => undefined)
  const still = clock?.mode === 'frozen' ? '; the clock stands still until `psp clock advance` moves it' : ''
  out.note(out.notePaint.dim(`${kind} ${created.id}: waiting for its end${still}`))
}

/** Follows the control stream if there is one, so that the request log stays readable. Otherwise it polls. */
export async function untilFinal<T extends { readonly id: string }>(
  client: Client,
  settling: Settling<T>,
  session: Session,
): Promise<T> {
  if (settling.isFinal(settling.created)) return settling.created
  try {
    return await heard(client, settling, session)
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof UnexpectedResponseError)) throw unseen(settling, error)
  }
  try {
    return await asked(settling, session)
  } catch (error) {
    throw unseen(settling, error)
  }
}

/** The object exists, whatever became of the server. */
function unseen<T extends { readonly id: string }>({ kind, created, shownBy }: Settling<T>, error: unknown): unknown {
  if (!(error instanceof ConnectionError)) return error
  const message = `${kind} ${created.id} was created, and its end was not seen: ${error.message}`
  return new CliError('unreachable', message, `\`${shownBy}\` shows it once the server is back.`)
}

async function heard<T extends { readonly id: string }>(
  client: Client,
  { kind, created, isFinal, get }: Settling<T>,
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
    timers: host.wall,
    signal: controller.signal,
    // What happened before the stream was there.
    onOpen: async () => take(await get()),
    onState: toldOnce(session),
    patience: PATIENCE,
  })
  for await (const { event, data } of messages) {
    if (event === kind) take((JSON.parse(data) as { [kind: string]: T })[kind] as T)
    else if (event === 'gap' || event === 'reset') take(await get())
  }
  return latest
}

/** Polls less and less often: a real service offers nothing else. */
async function asked<T extends { readonly id: string }>(
  { created, isFinal, get }: Settling<T>,
  { host, signals }: Session,
): Promise<T> {
  let latest = created
  let pause = FIRST_PAUSE
  while (!isFinal(latest) && !signals.ended.aborted) {
    await new Promise<void>((done) => void host.wall.setTimeout(done, pause))
    pause = Math.min(pause * 1.5, LONGEST_PAUSE)
    latest = await get()
  }
  return latest
}
