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
  listensOn(host: string): void
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
      `On ${host} other machines can reach this server, so its control token needs at least ${LEAST_TOKEN} characters.`,
    )
    this.host = host
  }
}

const LEAST_TOKEN = 16

/**
 * @param isExposed whether the credentials are public
 * @param monotonic ms, never stepping back
 */
export function createAccess(
  given: Partial<ControlAccess> = {},
  isExposed: () => boolean,
  monotonic: () => number,
): Access {
  let host = given.host ?? '127.0.0.1'
  let loopback = given.loopback ?? true
  const control: GuardedAccess = {
    ...given,
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
    listensOn(address) {
      if (given.host === undefined) host = address
      if (isLoopback(address)) return
      if (given.token !== undefined && given.token.length < LEAST_TOKEN) throw new WeakControlTokenError(address)
      if (isExposed()) throw new ExposedCredentialsError(address)
      loopback = false
    },
  }
}
