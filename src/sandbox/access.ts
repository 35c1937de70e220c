// Who may use the control API, and on which addresses a sandbox may be served at all: decided here for every server around
// it, whoever starts one.
import { isLoopback } from '../domain/loopback.ts'
import { createWrongTokens } from '../http/control/wrong-tokens.ts'
import type { ControlAccess, GuardedAccess } from '../http/services.ts'

export interface Access {
  /** As it is now: what is served to others stays so. */
  readonly control: GuardedAccess
  /**
   * A server is about to listen on `host`.
   * @throws ExposedCredentialsError or WeakControlTokenError if other machines could reach it, and guess its credentials or token
   */
  assertHostAllowed(host: string): void
}

/** Others than this machine could reach the server, and everybody knows its development credentials. */
export class ExposedCredentialsError extends Error {
  override readonly name = 'ExposedCredentialsError'
  readonly host: string
  constructor(host: string) {
    super(
      `On ${host} others could reach this server, and everybody knows its development credentials. Give it an API key, a signing secret and a webhook secret of its own.`,
    )
    this.host = host
  }
}

/** A caller on another machine could guess the control token. */
export class WeakControlTokenError extends Error {
  override readonly name = 'WeakControlTokenError'
  readonly host: string
  constructor(host: string) {
    super(
      `On ${host} other machines can reach this server, so its control token needs at least ${MIN_TOKEN_LENGTH} characters.`,
    )
    this.host = host
  }
}

const MIN_TOKEN_LENGTH = 16

/**
 * @param isExposed whether the credentials are public
 * @param monotonic ms, never stepping back
 */
export function createAccess(
  configured: Partial<ControlAccess> = {},
  isExposed: () => boolean,
  monotonic: () => number,
): Access {
  let host = configured.host ?? '127.0.0.1'
  let loopback = configured.loopback ?? true
  const control: GuardedAccess = {
    ...configured,
    wrongTokens: createWrongTokens(monotonic),
    get host() {
      return host
    },
    get loopback() {
      return loopback
    },
  }
  return {
    control,
    assertHostAllowed(address) {
      if (configured.host === undefined) host = address
      if (isLoopback(address)) return
      if (configured.token !== undefined && configured.token.length < MIN_TOKEN_LENGTH)
        throw new WeakControlTokenError(address)
      if (isExposed()) throw new ExposedCredentialsError(address)
      loopback = false
    },
  }
}
