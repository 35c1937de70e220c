// A sandbox in this process. Requests are function calls, as are webhooks to the built-in receiver.

import type { FaultBody, RuleBody } from '../client/control-types.ts'
import type { FetchLike } from '../client/fetch-like.ts'
import type { ShopCredentials } from '../domain/default-shop.ts'
import { bareHost } from '../domain/loopback.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import { quote } from '../domain/zod-messages.ts'
import { type RunningServer, startServer } from '../node/server.ts'
import { fetchTransport } from '../receiver-client/fetch-transport.ts'
import { recordBody } from '../receiver-client/response-body.ts'
import type { Transport } from '../receiver-client/transport.ts'
import { createTransport } from '../receiver-client/undici-transport.ts'
import { assembleSandbox, readSeed, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import { lazyRunInSandbox } from '../scenarios/lazy-run-in-sandbox.ts'
import { createSystemClock, unrefLongTimers } from '../system-clock/system-clock.ts'
import { CLOCK_FORMS, parseClock } from '../time/clock-syntax.ts'
import { CLOSED_MESSAGE, type SandboxConnection, type ShopIdentity } from './connection.ts'
import { abortable, createProcessHold, inProcessCall, whileOpen } from './in-process-fetch.ts'
import type { InProcessOptions } from './options.ts'
import type { WebhookHandler } from './receiver.ts'

/** A reserved name. Webhooks to it never leave the process. */
const RECEIVER = 'http://receiver.psp.test/'

/** Steps due within this time (ms) still run when a test has ended. Later ones do not keep the process alive. */
const SOON = 5000

/**
 * @throws PortUnavailableError, ExposedCredentialsError, WeakControlTokenError, SettingError, RefusalError (of the
 *   seed), TypeError
 */
export async function startInProcess(
  options: InProcessOptions,
): Promise<{ connection: SandboxConnection; shop: ShopIdentity }> {
  const systemClock = createSystemClock()
  const alive = createProcessHold(systemClock)
  const closing = new AbortController()
  const handlers = new Map<string, WebhookHandler>()
  const undici = createTransport(systemClock)
  let outside: Transport = undici.send

  const transport: Transport = (request) =>
    request.url.startsWith(RECEIVER) ? toReceiver(handlers, request) : outside(request)
  const sandbox = await assembleSandbox({
    ...sandboxOptions(options),
    systemClock: unrefLongTimers(systemClock, SOON),
    transport,
    runScenario: lazyRunInSandbox,
  })
  const server = await listen(sandbox, options, systemClock)
  const url = server?.url ?? `http://${NO_SERVER_HOST}`
  sandbox.setBaseUrl(url)
  if (server !== undefined) sandbox.setPayUrl(server.sharedUrl)

  const sandboxWhileOpen = whileOpen(sandbox, closing.signal)
  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    closing.abort(new Error(CLOSED_MESSAGE))
    await server?.close({ grace_ms: 0 })
    await sandbox.close({ grace_ms: 0 })
    await undici.close()
  }

  return {
    shop: identityOf(sandbox),
    connection: {
      url,
      controlToken: options.controlToken,
      systemClock,
      closing: closing.signal,
      call: inProcessCall(sandboxWhileOpen, alive) satisfies FetchLike,
      fetch: (request) => abortable(sandboxWhileOpen, request, alive),
      async receive({ shopId }, handleWebhook) {
        const receiverUrl = `${RECEIVER}${shopId}`
        handlers.set(receiverUrl, handleWebhook)
        sandbox.engine.execute('create_endpoint', { shop_id: shopId, input: { url: receiverUrl, own_secret: false } })
        await sandbox.engine.written()
        return { url: receiverUrl }
      },
      async reset(run) {
        await run()
      },
      sendWebhooksWithGlobalFetch() {
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
  handlers: ReadonlyMap<string, WebhookHandler>,
  { url, headers, body }: Parameters<Transport>[0],
): ReturnType<Transport> {
  const handleWebhook = handlers.get(url.split(/[?#]/, 1)[0] ?? '')
  if (handleWebhook === undefined) return { error: `This sandbox has no receiver at ${url}.` }
  try {
    const response = await handleWebhook(headers, body)
    return { status: response.status, headers: [], body: recordBody(Buffer.from(response.body)) }
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
  const { shop_id, merchant_id, api_key = '', signing_secret, webhook_secret } = sandbox.defaultShop()
  return {
    shopId: shop_id,
    merchantId: merchant_id,
    apiKey: api_key,
    signingSecret: signing_secret,
    webhookSecret: webhook_secret,
  }
}

/** The host of a sandbox without a server. */
const NO_SERVER_HOST = 'psp.test'

/** @throws TypeError for an invalid clock, RefusalError `bad_request` that names the position in the seed */
function sandboxOptions(options: InProcessOptions): SandboxOptions {
  const { clock, randomSeed, settings, host, controlToken } = options
  const seed = seedOf(options)
  return {
    credentials: credentialsOf(options),
    ...omitUndefined({
      clock: clock === undefined ? undefined : clockOf(clock),
      randomSeed,
      settings,
      seed: seed === undefined ? undefined : readSeed(seed),
    }),
    control: {
      host: options.listen === false ? NO_SERVER_HOST : (host ?? '127.0.0.1'),
      ...omitUndefined({ token: controlToken }),
    },
  }
}

/** Puts the rules and faults of the options in front of those of the seed, so that they are tried first. */
function seedOf({ seed, rules = [], faults = [] }: InProcessOptions): object | undefined {
  if (seed === undefined && rules.length === 0 && faults.length === 0) return undefined
  const from = (seed ?? {}) as { readonly rules?: readonly RuleBody[]; readonly faults?: readonly FaultBody[] }
  return { ...from, rules: [...rules, ...(from.rules ?? [])], faults: [...faults, ...(from.faults ?? [])] }
}

function clockOf(text: string): NonNullable<SandboxOptions['clock']> {
  const clock = parseClock(text)
  if (clock !== undefined) return clock
  throw new TypeError(`clock: ${quote(text)} is not a clock. Write ${CLOCK_FORMS}.`)
}

function credentialsOf({ apiKey, signingSecret, webhookSecret }: InProcessOptions): Partial<ShopCredentials> {
  return omitUndefined({ api_key: apiKey, signing_secret: signingSecret, webhook_secret: webhookSecret })
}
