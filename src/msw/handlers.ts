// The door for Mock Service Worker: requests to the chosen base urls are answered by the sandbox in this process.

import { HttpResponse, http, type RequestHandler } from 'msw'
import { quoted } from '../domain/quoted.ts'
import { requireAddress } from '../domain/typed-address.ts'
import { consumedBody, isConsumed } from '../http/consumed-body.ts'

/** What `startSandbox` of `psp-sandbox/testing` gives, a shop of it, or a sandbox of `createSandbox`. */
export interface MockedSandbox {
  fetch(request: Request): Promise<Response>
  readonly url?: string
  /** Asked for, so that webhooks pass by MSW too. */
  webhooksByFetch?(): void
  /** Told where its pages are answered. */
  pagesAt?(url: string): void
}

/** Where the handlers answer. */
export interface HandlerOptions {
  /**
   * Where the program under test believes the service to be: `https://api.psp.example`, also with a path; `payment_url`
   * begins with the first. Default: the sandbox's own url.
   */
  readonly baseUrls?: readonly string[]
}

/** The host of a sandbox without a server. */
const OWN = 'http://127.0.0.1:7770'

/**
 * Handlers for `setupServer(...)` of `msw/node`: the public API, event stream included, and the hosted page. From now on
 * the sandbox sends its webhooks by the global `fetch`, so that handlers of your own can receive them.
 * @throws TypeError where a base url is none
 * @example
 * const server = setupServer(...pspHandlers(sandbox, { baseUrls: ['https://api.psp.example'] }))
 */
export function pspHandlers(sandbox: MockedSandbox, { baseUrls }: HandlerOptions = {}): RequestHandler[] {
  if (typeof sandbox?.fetch !== 'function') {
    throw new TypeError('pspHandlers takes a sandbox first: what startSandbox() of psp-sandbox/testing gives, awaited.')
  }
  if (baseUrls !== undefined && !Array.isArray(baseUrls)) {
    throw new TypeError(`baseUrls: expected a list, such as ['https://api.psp.example'], got ${quoted(baseUrls)}.`)
  }
  const own = sandbox.url ?? OWN
  const bases = (baseUrls ?? [own]).map((url) => requireAddress(url, 'server', 'baseUrls'))
  sandbox.webhooksByFetch?.()
  if (baseUrls !== undefined && bases[0] !== undefined) sandbox.pagesAt?.(bases[0])
  return bases.map((base) => http.all(below(base), ({ request }) => answer(sandbox, own, base, request)))
}

async function answer(sandbox: MockedSandbox, own: string, base: string, request: Request): Promise<Response> {
  if (isConsumed(request)) return consumedBody()
  const rest = request.url.slice(base.length)
  try {
    // Listeners of life-cycle events may read the request itself.
    return whole(await sandbox.fetch(new Request(`${own}${rest}`, request.clone())))
  } catch (error) {
    // Where the simulator cuts the connection the caller sees a network error; anything else is a fault to be seen.
    if (error instanceof TypeError && error.message === 'fetch failed') return HttpResponse.error()
    throw error
  }
}

/**
 * MSW clones each response for its life-cycle events. Of an event stream that would leave a half which nobody reads: the
 * program could not leave the stream any more, and what it does not read would pile up. The clone gets an empty half.
 */
function whole(response: Response): Response {
  const { body, headers } = response
  if (body === null || headers.get('content-type') !== 'text/event-stream') return response
  body.tee = () => [body, new ReadableStream({ start: (controller) => controller.close() })]
  return response
}

function below(base: string): RegExp {
  return new RegExp(`^${base.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/`)
}
