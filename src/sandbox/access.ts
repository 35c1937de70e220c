// Decides who may use the control API, and on which addresses a sandbox may be served.
import { isLoopback } from '../domain/loopback.ts'
import { createTokenGuessLimiter } from '../http/guards/rate-limit.ts'
import type { ControlAccess, GuardedAccess } from '../http/services.ts'

export interface Access {
  /** The current access rules. Once the sandbox is served to other machines, `loopback` is false. */
  readonly control: GuardedAccess
  /**
   * Called before a server listens on `host`.
   * @throws ExposedCredentialsError if other machines could reach the server, and its credentials are public
   * @throws WeakControlTokenError if other machines could reach the server, and guess its token
   */
  beforeListen(host: string): void
}

/** Other machines could reach the server, but its development credentials are public. */
export class ExposedCredentialsError extends Error {
  override readonly name = 'ExposedCredentialsError'
  readonly host: string
  constructor(host: string) {
    super(
      `On ${host} other machines can reach this server, but its development credentials are public. Start it with a private API key, signing secret and webhook secret.`,
    )
    this.host = host
  }
}

/** A caller on another machine could guess the control token or the view token. */
export class WeakControlTokenError extends Error {
  override readonly name = 'WeakControlTokenError'
  readonly host: string
  constructor(host: string) {
    super(
      `On ${host} other machines can reach this server, so its control token and its view token need at least ${MIN_TOKEN_LENGTH} characters.`,
    )
    this.host = host
  }
}

const MIN_TOKEN_LENGTH = 16

/**
 * @param usesDevelopmentCredentials whether the credentials are public
 * @param monotonic returns ms and never goes back
 */
export function createAccess(
  configured: Partial<ControlAccess> = {},
  usesDevelopmentCredentials: () => boolean,
  monotonic: () => number,
): Access {
  let host = configured.host ?? '127.0.0.1'
  let loopback = configured.loopback ?? true
  const control: GuardedAccess = {
    ...configured,
    tokenGuesses: createTokenGuessLimiter(monotonic),
    get host() {
      return host
    },
    get loopback() {
      return loopback
    },
  }
  return {
    control,
    beforeListen(address) {
      if (configured.host === undefined) host = address
      if (isLoopback(address)) return
      const tokens = [configured.token, configured.viewToken].filter((token) => token !== undefined)
      if (tokens.some((token) => token.length < MIN_TOKEN_LENGTH)) throw new WeakControlTokenError(address)
      if (usesDevelopmentCredentials()) throw new ExposedCredentialsError(address)
      loopback = false
    },
  }
}
