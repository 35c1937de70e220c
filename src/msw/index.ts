// `psp-sandbox/msw`: handlers for Mock Service Worker. The sandbox responds, and its webhooks reach other handlers.
import { type HttpHandler, HttpResponse, http, type RequestHandler } from 'msw'
import { requireAddress } from '../domain/typed-address.ts'
import { quote } from '../domain/zod-messages.ts'
import { consumedBodyResponse, isConsumed } from '../http/read-body.ts'
import { fetchTransport } from '../receiver-client/fetch-transport.ts'
import type { Transport } from '../receiver-client/transport.ts'
import { createSystemClock } from '../system-clock/system-clock.ts'

/** A sandbox or shop from `startSandbox` (`psp-sandbox/testing`), or a sandbox from `createSandbox`. */
export interface MockedSandbox {
  fetch(request: Request): Promise<Response>
  readonly url?: string
  /** Called so that MSW also sees the webhooks. */
  sendWebhooksWithGlobalFetch?(): void
  /** Called with the URL of the hosted pages. */
  setPayUrl?(url: string): void
}

/** The URLs that the handlers cover. */
export interface HandlerOptions {
  /**
   * The base URLs at which the program under test expects the service: `https://api.psp.example`, optionally with a
   * path. `payment_url` begins with the first of them. Default: the URL of the sandbox.
   */
  readonly baseUrls?: readonly string[]
}

/** The base URL of a sandbox without a server. */
const DEFAULT_URL = 'http://127.0.0.1:7770'

/**
 * Returns handlers for `setupServer(...)` of `msw/node`. They cover every path below the base URLs: the public API with
 * its event stream, the hosted page and the control API. After this call a sandbox from `startSandbox` sends its
 * webhooks with the global `fetch`, so that other handlers can receive them.
 * @throws TypeError if a base URL is invalid
 * @example
 * const server = setupServer(...pspHandlers(sandbox, { baseUrls: ['https://api.psp.example'] }))
 */
export function pspHandlers(sandbox: MockedSandbox, { baseUrls }: HandlerOptions = {}): RequestHandler[] {
  if (typeof sandbox?.fetch !== 'function') {
    throw new TypeError(
      'pspHandlers takes a sandbox first: the awaited result of startSandbox() from psp-sandbox/testing.',
    )
  }
  if (baseUrls !== undefined && !Array.isArray(baseUrls)) {
    throw new TypeError(`baseUrls: expected a list, such as ['https://api.psp.example'], got ${quote(baseUrls)}.`)
  }
  const sandboxUrl = sandbox.url ?? DEFAULT_URL
  const bases = (baseUrls ?? [sandboxUrl]).map((url) => requireAddress(url, 'server', 'baseUrls'))
  sandbox.sendWebhooksWithGlobalFetch?.()
  if (baseUrls !== undefined && bases[0] !== undefined) sandbox.setPayUrl?.(bases[0])
  return bases.map((base) => {
    const consumed = new WeakSet<Request>()
    const handler = http.all(urlsBelow(base), ({ request }) =>
      consumed.has(request) ? consumedBodyResponse() : respond(sandbox, sandboxUrl, base, request),
    )
    return acceptConsumed(handler, consumed)
  })
}

/**
 * MSW clones each request before the handler receives it. Cloning throws if a listener has already read the body, so
 * the handler then gets a request without a body.
 * @param consumed the set to which the requests without a body are added
 */
function acceptConsumed(handler: HttpHandler, consumed: WeakSet<Request>): HttpHandler {
  const run = handler.run.bind(handler)
  handler.run = (args) => {
    const { request } = args
    if (!isConsumed(request)) return run(args)
    const { url, method, headers, signal } = request
    const withoutBody = new Request(url, { method, headers, signal })
    consumed.add(withoutBody)
    return run({ ...args, request: withoutBody })
  }
  return handler
}

async function respond(sandbox: MockedSandbox, sandboxUrl: string, base: string, request: Request): Promise<Response> {
  const rest = request.url.slice(base.length)
  try {
    // A clone, because listeners of MSW's life-cycle events may read the request.
    return withEmptyStreamClone(await sandbox.fetch(new Request(`${sandboxUrl}${rest}`, request.clone())))
  } catch (error) {
    // If the simulator closes the connection, the caller gets a network error. Any other error must stay visible.
    if (error instanceof TypeError && error.message === 'fetch failed') return HttpResponse.error()
    throw error
  }
}

/**
 * MSW clones each response for its life-cycle events. The clone of an event stream would never be read: the program
 * could not close the stream, and unread data would accumulate. So the clone gets an empty body.
 */
function withEmptyStreamClone(response: Response): Response {
  const { body, headers } = response
  if (body === null || headers.get('content-type') !== 'text/event-stream') return response
  body.tee = () => [body, new ReadableStream({ start: (controller) => controller.close() })]
  return response
}

function urlsBelow(base: string): RegExp {
  return new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`)
}

/**
 * Sends each webhook with the global `fetch` of that moment, so that MSW handlers receive the webhooks. Use this
 * transport with `createSandbox`. For a sandbox from `startSandbox`, `pspHandlers` does the same.
 * @example const sandbox = await createSandbox({ transport: createFetchTransport() })
 */
export function createFetchTransport(): Transport {
  return fetchTransport((url, init) => globalThis.fetch(url, init), createSystemClock())
}
