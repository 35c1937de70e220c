// The options with which a test starts a sandbox.
import type { FaultBody, RuleBody, ShopBody } from '../client/control-types.ts'
import type { SomeSettings } from '../settings.ts'

/** A clock as on the command line: `frozen@2026-05-06T12:00:00Z` is stopped, `x60` is sixty times as fast. */
export type ClockText = 'real' | 'frozen' | `frozen@${string}` | `x${number}`

/** The options of each shop. */
export interface CommonOptions {
  /**
   * Webhook endpoints of the shop, for your application: `localhost:3000/hooks` or whole URLs. Their webhooks are
   * signed with the shop's `webhookSecret`. The built-in receiver still gets them too. If an address is known only
   * later, use `psp.endpoints.add(url)`.
   */
  readonly endpoints?: readonly string[] | undefined
  /** If false, there is no built-in receiver. */
  readonly receiver?: boolean | undefined
  /** The default time limit of `waitFor` in ms. Default: 4500, below the usual 5 s limit of a test. */
  readonly timeout?: number | undefined
}

/** A sandbox in this process, in memory. */
export interface InProcessOptions extends CommonOptions {
  /** Not set for a sandbox in this process. With a URL, `startSandbox` connects to a running server. */
  readonly url?: undefined
  /** The port of the HTTP server for the program under test. Default: 0, a free port. */
  readonly port?: number | undefined
  /**
   * The host of the HTTP server. Default: 127.0.0.1. A host that other machines can reach requires custom values for
   * `apiKey`, `signingSecret` and `webhookSecret`, and disables the control API over HTTP unless `controlToken` is set.
   */
  readonly host?: string | undefined
  /** The token that the control API requires in `Authorization: Bearer …`. */
  readonly controlToken?: string | undefined
  /** If false, there is no HTTP server. Only `fetch` and the handlers of `psp-sandbox/msw` reach the sandbox. */
  readonly listen?: boolean | undefined
  /** How time passes. Default: `real`. */
  readonly clock?: ClockText | undefined
  /** Makes generated ids and random values the same in every run. */
  readonly randomSeed?: number | string | undefined
  /** Settings by name: `{ 'delays.bank': '0s' }`. `psp settings` lists them. */
  readonly settings?: SomeSettings | undefined
  /** The contents of a seed file: shops, settings, rules, faults, payments and payouts. */
  readonly seed?: object | undefined
  /**
   * Rules that apply from the first request. The first rule that matches applies. Rules that are added later come
   * before all of these. A plan may be a sequence: `{ plan: ['pending', 'succeeded'] }`.
   */
  readonly rules?: readonly RuleBody[] | undefined
  /** Faults that apply from the first request. */
  readonly faults?: readonly FaultBody[] | undefined
  /** Default: the development key, the same in every run. */
  readonly apiKey?: string | undefined
  /** The secret that signs requests, `thm_…`. Default: the development secret. */
  readonly signingSecret?: string | undefined
  /** The secret that signs webhooks, `whs_…`. Default: the development secret. */
  readonly webhookSecret?: string | undefined
}

/** A running server of `psp serve`, `psp exec` or a container. */
export interface ServerOptions extends CommonOptions {
  /** The URL of the server: `http://127.0.0.1:7770`. */
  readonly url: string
  /** The token of a server that was started with `--control-token`. */
  readonly controlToken?: string | undefined
  /** Uses the shop of this key. Default: a new shop, which other tests do not see. */
  readonly apiKey?: string | undefined
  /** The signing secret of the shop that `apiKey` belongs to. */
  readonly signingSecret?: string | undefined
  /** The webhook secret of the shop that `apiKey` belongs to. */
  readonly webhookSecret?: string | undefined
}

/** Options of a sandbox in this process, or, with `url`, of a running server. */
export type StartOptions = InProcessOptions | ServerOptions

/** The fields of a new shop. All are optional. */
export interface NewShop extends Omit<ShopBody, 'endpoints'>, CommonOptions {}
