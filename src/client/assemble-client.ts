// Assembles a client. The function that signs is an argument, so this module runs in Node and in browsers.

import { pathSegment } from './call-arguments.ts'
import { controlCalls } from './control-calls.ts'
import { type DashboardOperations, dashboardOperations } from './control-dashboard.ts'
import { type HistoryOperations, historyOperations } from './control-history.ts'
import { type SimulatorOperations, simulatorOperations } from './control-simulator.ts'
import type { HealthView, Page, PageQuery } from './control-types.ts'
import type { FetchResponse } from './fetch-like.ts'
import { type ClientOptions, createHttpClient, type HttpClient, type RequestSigner } from './http-client.ts'
import type { DeliveryState, ListedListener, ListenerBody, ListenerResult, ListenerView } from './listener-types.ts'
import { type PublicOperations, publicOperations } from './public-operations.ts'

/** The public API as functions, and the control API under `control`. */
export interface Client extends PublicOperations {
  /** The control API, which only a sandbox has. */
  readonly control: ControlOperations
  /** Sends custom requests with the client's credentials. */
  readonly raw: { readonly public: HttpClient; readonly control: HttpClient }
}

/** @param sign computes the signatures of public requests. Called only if there is a signing secret. */
export function assembleClient(options: ClientOptions, sign: RequestSigner): Client {
  const control = createHttpClient(options, 'control', sign)
  return withPublicOperations(options, sign, { control: controlOperations(control), raw: { control } })
}

/** Creates the functions of the public API, and uses the control API of another client of the same server. */
export function withPublicOperations(
  options: ClientOptions,
  sign: RequestSigner,
  { control, raw }: Pick<Client, 'control'> & { readonly raw: Pick<Client['raw'], 'control'> },
): Client {
  const http = createHttpClient(options, 'public', sign)
  return { ...publicOperations(http), control, raw: { public: http, control: raw.control } }
}

const CONTROL = '/_psp'
const HEALTH = { status: 'string' } as const

interface ControlOperations extends DashboardOperations, HistoryOperations, SimulatorOperations {
  /** Resolves even if the status is `failing`. */
  health(signal?: AbortSignal): Promise<HealthView>
  openapi(which: 'public' | 'control'): Promise<unknown>
  /**
   * Streams everything that happens, as SSE with ids. Resumes after `lastEventId`.
   * @param options.interval collects messages for this long, such as `200ms`, and sends several as one message `batch`
   */
  stream(options?: {
    lastEventId?: string | undefined
    interval?: string | undefined
    signal?: AbortSignal
  }): Promise<FetchResponse>
  readonly listeners: {
    list(query?: PageQuery): Promise<Page<ListedListener>>
    open(body: ListenerBody): Promise<ListenerView>
    /** @param options.timeout the response deadline of the listener's receivers: `15s` */
    stream(id: string, options?: { timeout?: string | undefined; signal?: AbortSignal }): Promise<FetchResponse>
    report(id: string, result: ListenerResult): Promise<DeliveryState>
    close(id: string): Promise<void>
  }
}

function controlOperations(http: HttpClient): ControlOperations {
  const listener = (id: string) => `${CONTROL}/listeners/${pathSegment(id)}`
  return {
    ...dashboardOperations(http),
    ...historyOperations(http),
    ...simulatorOperations(http),
    health: (signal) =>
      http.json({ method: 'GET', path: `${CONTROL}/health`, signal, responseShape: HEALTH, otherStatus: 503 }),
    openapi: (which) =>
      http.json({ method: 'GET', path: which === 'public' ? '/openapi.json' : `${CONTROL}/openapi.json` }),
    stream: ({ interval, ...options } = {}) => http.open({ ...sse(`${CONTROL}/stream`, options), query: { interval } }),
    listeners: {
      list: (query) => controlCalls(http).list('listeners', query),
      open: (body) =>
        http.json({ method: 'POST', path: `${CONTROL}/listeners`, body, responseShape: { id: 'string' } }),
      stream: (id, { timeout, signal } = {}) =>
        http.open({ ...sse(`${listener(id)}/stream`, signal === undefined ? {} : { signal }), query: { timeout } }),
      report: (id, body) => http.json({ method: 'POST', path: `${listener(id)}/results`, body }),
      close: (id) => http.json({ method: 'DELETE', path: listener(id) }),
    },
  }
}

function sse(path: string, options: { lastEventId?: string | undefined; signal?: AbortSignal } = {}) {
  const headers = { Accept: 'text/event-stream', 'Last-Event-ID': options.lastEventId }
  return { method: 'GET', path, headers, signal: options.signal } as const
}
