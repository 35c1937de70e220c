// What a test says when it starts a sandbox.
import type { FaultBody, RuleBody, ShopBody } from '../client/control-types.ts'
import type { SomeSettings } from '../settings.ts'

/** A clock as on the command line: `frozen@2026-05-06T12:00:00Z` stands there, `x60` runs sixty times as fast. */
export type ClockText = 'real' | 'frozen' | `frozen@${string}` | `x${number}`

interface Common {
  /**
   * Webhook endpoints of the shop: your application's, as `localhost:3000/hooks` or whole urls. They are signed with its
   * `webhookSecret`, beside the built-in receiver. For one whose address is known later: `psp.endpoints.add(url)`.
   */
  readonly endpoints?: readonly string[] | undefined
  /** False: no built-in receiver. */
  readonly receiver?: boolean | undefined
  /** ms that `waitFor` waits where nothing else is said. Default 4500: less than a test's own 5 s, so that its words are seen. */
  readonly timeout?: number | undefined
}

/** A sandbox in this process, in memory. */
export interface InProcessOptions extends Common {
  /** Absent here: with it, a server that runs already is joined. */
  readonly url?: undefined
  /** Of the HTTP server for the program under test. Default 0: a free one. */
  readonly port?: number | undefined
  /**
   * Default 127.0.0.1. On one that others reach, `apiKey`, `signingSecret` and `webhookSecret` must be your own, and over
   * HTTP the control API is off without `controlToken`.
   */
  readonly host?: string | undefined
  /** `Authorization: Bearer …` that the control API wants. */
  readonly controlToken?: string | undefined
  /** False: no HTTP server; only `fetch` and the handlers of `psp-sandbox/msw` reach it. */
  readonly listen?: boolean | undefined
  /** How time passes. Default `real`. */
  readonly clock?: ClockText | undefined
  /** Same ids and draws on every run. */
  readonly randomSeed?: number | string | undefined
  /** By name: `{ 'delays.bank': '0s' }`. `psp settings` lists them. */
  readonly settings?: SomeSettings | undefined
  /** The JSON of a seed file: shops, settings, rules, faults, payments, payouts. */
  readonly seed?: object | undefined
  /** In force before the first request, the first one asked first; also a sequence: `{ plan: ['pending', 'succeeded'] }`. */
  readonly rules?: readonly RuleBody[] | undefined
  /** In force before the first request. */
  readonly faults?: readonly FaultBody[] | undefined
  /** Default: the well-known development credentials, the same on every run. */
  readonly apiKey?: string | undefined
  /** `thm_…`: signs requests. Default: the well-known one. */
  readonly signingSecret?: string | undefined
  /** `whs_…`: signs webhooks. Default: the well-known one. */
  readonly webhookSecret?: string | undefined
}

/** A server that runs already: one of `psp serve`, `psp exec` or a container. */
export interface ServerOptions extends Common {
  /** `http://127.0.0.1:7770` */
  readonly url: string
  /** Of a server that others reach, started with `--control-token`. */
  readonly controlToken?: string | undefined
  /** Speak for the shop of this key. Absent: a new shop of one's own, which no other test sees. */
  readonly apiKey?: string | undefined
  /** Of the shop of `apiKey`. */
  readonly signingSecret?: string | undefined
  /** Of the shop of `apiKey`. */
  readonly webhookSecret?: string | undefined
}

/** A sandbox in this process, or, with `url`, a server that runs already. */
export type StartOptions = InProcessOptions | ServerOptions

/** What a new shop is to be: all of it may be left out. */
export interface NewShop extends Omit<ShopBody, 'endpoints'>, Common {}
