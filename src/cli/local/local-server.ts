// A sandbox with an HTTP server. `psp serve` and `psp exec` always start one. A command that needs a server, such as
// `listen` or `events replay`, starts one if none is running.

import { omitUndefined } from '../../domain/omit-undefined.ts'
import { bindServer, PortUnavailableError } from '../../node/server.ts'
import type { DefaultShop, Sandbox, SandboxOptions } from '../../sandbox.ts'
import { parseClock } from '../../time/clock-syntax.ts'
import { resolveSettings } from '../config/settings-config.ts'
import { CliError, usageError } from '../failure.ts'
import { DRAIN_TIME_LIMIT } from '../process/signals.ts'
import type { Session } from '../session.ts'
import { addressOf, dataText, findPspAt } from '../target/other-server.ts'
import { checkAccess, generateCredentials } from './credentials.ts'
import { closeSandbox, openFailure, openSandbox } from './open-sandbox.ts'
import { loadSeed } from './seed.ts'

export interface LocalServer {
  readonly sandbox: Sandbox
  readonly url: string
  /** The URL for other machines. */
  readonly sharedUrl: string
  readonly defaultShop: DefaultShop
  /** Stops accepting, waits up to 2 s for requests and attempts to finish, and writes all data to disk. */
  close(): Promise<void>
}

export interface LocalServerOptions {
  /** Absent: memory only. */
  readonly folder: string | undefined
  /** Uses any free port if the port is in use. */
  readonly freePort?: boolean
  /** Replaces the configured port. */
  readonly port?: number
  /** Called after the last check of the start, before anything changes. */
  readonly beforeFirstChange?: () => void
}

/**
 * Starts the server. A failed start leaves the disk unchanged.
 * @throws CliError
 */
export async function startLocalServer(session: Session, options: LocalServerOptions): Promise<LocalServer> {
  const { seed, host } = session.values
  const startOptions = {
    ...sandboxOptions(session, options.folder),
    ...checkpointOptions(session),
    ...(seed === undefined
      ? {}
      : { seed: await loadSeed(seed, session, resolveSettings(session.config.sources).values) }),
  }
  let server: BoundServer | undefined
  try {
    const sandbox = await openSandbox(session, startOptions, async ({ isNew, beforeListen }) => {
      checkAccess(session, isNew, () => beforeListen(host))
      server = await listen(session, options)
      options.beforeFirstChange?.()
    })
    return serveSandbox(session, sandbox, server as BoundServer)
  } catch (error) {
    await server?.close({ grace_ms: 0 })
    throw error
  }
}

type BoundServer = Awaited<ReturnType<typeof bindServer>>

function serveSandbox(session: Session, sandbox: Sandbox, server: BoundServer): LocalServer {
  const url = withLoopback(server.url)
  const defaultShop = sandbox.defaultShop()
  sandbox.setBaseUrl(url)
  sandbox.setPayUrl(server.sharedUrl)
  server.serve(sandbox)
  return {
    sandbox,
    url,
    sharedUrl: server.sharedUrl,
    defaultShop,
    async close() {
      // Requests and attempts share one deadline.
      const until = session.host.systemClock.monotonic() + DRAIN_TIME_LIMIT
      await server.close({ grace_ms: DRAIN_TIME_LIMIT })
      await closeSandbox(sandbox, Math.max(0, until - session.host.systemClock.monotonic()))
    },
  }
}

/** @throws CliError exit 2 if the view token equals the control token, so that it would permit changes */
function sandboxOptions({ values, host }: Session, folder: string | undefined): SandboxOptions {
  if (values.view_token !== undefined && values.view_token === values.control_token)
    throw usageError('The view token and the control token are the same.', 'Choose another --view-token for reading.')
  return {
    ...omitUndefined({
      folder,
      clock: values.clock === undefined ? undefined : parseClock(values.clock),
      randomSeed: values.random_seed,
      shard: values.shard,
      payUrl: values.pay_url,
      credentials: values.generate_credentials ? generateCredentials(values) : undefined,
    }),
    durable: values.durable,
    endpoints: values.endpoint,
    control: {
      host: values.host,
      owner: { pid: host.pid, data: folder ?? null },
      ...omitUndefined({ token: values.control_token, viewToken: values.view_token }),
    },
  }
}

/** For `npm run crash` and a benchmark only: the size of the journal that starts a checkpoint. */
function checkpointOptions({ host }: Session): Pick<SandboxOptions, 'store'> {
  const bytes = Number(host.env['PSP_CHECKPOINT_BYTES'])
  return bytes > 0 ? { store: { checkpointThreshold: bytes } } : {}
}

async function listen(session: Session, { freePort = false, port }: LocalServerOptions): Promise<BoundServer> {
  const { values, host } = session
  const options = {
    port: port ?? values.port,
    host: values.host,
    systemClock: host.systemClock,
    replaceGlobals: host.ownsProcess,
  }
  try {
    return await bindServer(options)
  } catch (error) {
    const isInUse = error instanceof PortUnavailableError && error.code === 'EADDRINUSE'
    if (isInUse && !freePort) throw (await pspOnPortError(session, options.port)) ?? openFailure(error)
    if (!isInUse) throw openFailure(error)
    return await bindServer({ ...options, port: 0 })
  }
}

/** Returns `undefined` if the port is not in use by psp. */
async function pspOnPortError(session: Session, port: number): Promise<CliError | undefined> {
  const found = await findPspAt(session, addressOf(session.values.host, port))
  if (found === undefined) return undefined
  const { pid, url } = found
  const process = pid === undefined ? '' : `, process ${pid}`
  return new CliError(
    'busy',
    `Port ${port} is in use by another psp at ${url}${process}, ${dataText(found)}.`,
    `Use it with --url ${url}, ${pid === undefined ? '' : `stop it with \`kill ${pid}\`, `}or choose another --port (0: any free one).`,
    'port_in_use',
  )
}

/** Replaces the wildcard address by the loopback address. */
function withLoopback(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
}
