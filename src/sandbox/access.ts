// Who may use the control API, and on which addresses a sandbox may be served at all: decided here for every server around
// it, whoever starts one.
import { isLoopback } from '../domain/loopback.ts'
import type { StartShop } from '../engine/start-shop.ts'
import type { ControlAccess } from '../http/services.ts'

export interface Access {
  /** As it is now: what is served to others stays so. */
  readonly control: ControlAccess
  /**
   * A server is about to listen on `host`.
   * @throws ExposedCredentials where others could reach it with credentials that everybody knows
   */
  listensOn(host: string): void
}

/** Others than this machine could reach the server, and everybody knows its development credentials. */
export class ExposedCredentials extends Error {
  override readonly name = 'ExposedCredentials'
  readonly host: string
  constructor(host: string) {
    super(
      `On ${host} others could reach this server, and everybody knows its development credentials. Give it an API key, a signing secret and a webhook secret of its own.`,
    )
    this.host = host
  }
}

export function createAccess(given: Partial<ControlAccess> = {}, start: () => StartShop): Access {
  let host = given.host ?? '127.0.0.1'
  let loopback = given.loopback ?? true
  const control: ControlAccess = {
    ...given,
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
      if (start().well_known) throw new ExposedCredentials(address)
      loopback = false
    },
  }
}
