// A sandbox in this process. Requests are function calls, as are webhooks to the built-in receiver.
import type { FetchLike } from '../client/fetch-like.ts'
import { bareHost } from '../domain/loopback.ts'
import { type RunningServer, startServer } from '../node/server.ts'
import { fetchTransport } from '../receiver-client/fetch-transport.ts'
import { recordBody } from '../receiver-client/response-body.ts'
import type { Transport } from '../receiver-client/transport.ts'
import { createTransport } from '../receiver-client/undici-transport.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import { playScenario } from '../scenarios/lazy-player.ts'
import { createSystemClock } from '../system-clock/system-clock.ts'
import { unrefLongTimers } from '../system-clock/unref-long-timers.ts'
import { CLOSED_MESSAGE } from './closed.ts'
import type { SandboxConnection, ShopIdentity } from './connection.ts'
import { abortable, inProcessCall, whileOpen } from './in-process-fetch.ts'
import type { InProcessOptions } from './options.ts'
import { createProcessRef } from './process-ref.ts'
import type { WebhookHandler } from './receiver.ts'
import { NO_SERVER_HOST, sandboxOptions } from './sandbox-options.ts'

/** A reserved name. Webhooks to it never leave the process. */
const RECEIVER = 'http://receiver.psp.test/'

/** Steps due within this time (ms) still run when a test has ended. Later ones do not keep the process alive. */
const SOON = 5000

/** @throws PortUnavailableError, ExposedCredentialsError, WeakControlTokenError, SettingError, RefusalError (of the seed), TypeError */
export async function startInProcess(
  options: InProcessOptions,
): Promise<{ link: SandboxConnection; start: ShopIdentity }> {
  const systemClock = createSystemClock()
  const alive = createProcessRef(systemClock)
  const closing = new AbortController()
  const importRuns = new Map<string, WebhookHandler>()
  const undici = createTransport(systemClock)
  let outside: Transport = undici.send

  const transport: Transport = (request) =>
    request.url.startsWith(RECEIVER) ? toReceiver(importRuns, request) : outside(request)
  const sandbox = await assembleSandbox({
    ...sandboxOptions(options),
    systemClock: unrefLongTimers(systemClock, SOON),
    transport,
    runScenario: playScenario,
  })
  const server = await listen(sandbox, options, systemClock)
  const url = server?.url ?? `http://${NO_SERVER_HOST}`
  sandbox.setBaseUrl(url)
  if (server !== undefined) sandbox.setPayUrl(server.sharedUrl)

  const door = whileOpen(sandbox, closing.signal)
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    closing.abort(new Error(CLOSED_MESSAGE))
    await server?.close({ grace_ms: 0 })
    await sandbox.close({ grace_ms: 0 })
    await undici.close()
  }

  return {
    start: identityOf(sandbox),
    link: {
      url,
      ...(options.controlToken === undefined ? {} : { controlToken: options.controlToken }),
      systemClock,
      closing: closing.signal,
      call: inProcessCall(door, alive) satisfies FetchLike,
      fetch: (request) => abortable(door, request, alive),
      async receive({ shopId }, importRun) {
        const own = `${RECEIVER}${shopId}`
        importRuns.set(own, importRun)
        sandbox.engine.execute('create_endpoint', { shop_id: shopId, input: { url: own, own_secret: false } })
        await sandbox.engine.written()
        return { url: own, close: async () => void importRuns.delete(own) }
      },
      async reset(run) {
        await run()
      },
      webhooksByFetch() {
        outside = fetchTransport((to, init) => globalThis.fetch(to, init), systemClock, closing.signal)
      },
      setPayUrl: sandbox.setPayUrl,
      close() {
        closed ??= close()
        return closed
      },
    },
  }
}

async function toReceiver(
  importRuns: ReadonlyMap<string, WebhookHandler>,
  { url, headers, body }: Parameters<Transport>[0],
): ReturnType<Transport> {
  const importRun = importRuns.get(url.split(/[?#]/, 1)[0] ?? '')
  if (importRun === undefined) return { error: `This sandbox has no receiver at ${url}.` }
  try {
    const answer = await importRun(headers, body)
    return { status: answer.status, headers: [], body: recordBody(Buffer.from(answer.body)) }
  } catch (error) {
    return {
      error: `The receiver's response function threw: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

async function listen(
  sandbox: Sandbox,
  { listen = true, port = 0, host = '127.0.0.1' }: InProcessOptions,
  systemClock: NonNullable<SandboxOptions['systemClock']>,
): Promise<RunningServer | undefined> {
  if (!listen) return undefined
  try {
    return await startServer(sandbox, { port, host: bareHost(host), systemClock, keepProcessAlive: false })
  } catch (error) {
    await sandbox.close({ grace_ms: 0 })
    throw error
  }
}

function identityOf(sandbox: Sandbox): ShopIdentity {
  const { shop_id, merchant_id, api_key = '', signing_secret, webhook_secret } = sandbox.startShop()
  return {
    shopId: shop_id,
    merchantId: merchant_id,
    apiKey: api_key,
    signingSecret: signing_secret,
    webhookSecret: webhook_secret,
  }
}
