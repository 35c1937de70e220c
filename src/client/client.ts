// A client of a sandbox or of the real service, over any `fetch`. Requests are signed with node:crypto.
import { signRequest } from '../domain/signatures.ts'
import { assembleClient, type Client, withPublicOperations } from './assemble-client.ts'
import type { ClientOptions } from './http-client.ts'

export type { Client }

/**
 * Creates functions for each operation of a sandbox or of the real service, over the given `fetch`.
 * @example
 * const psp = createClient({ fetch, baseUrl: 'http://127.0.0.1:7770', apiKey: 'sk_test_…' })
 * const { payment } = await psp.payments.create({ amount: 100 })
 */
export function createClient(options: ClientOptions): Client {
  return assembleClient(options, signRequest)
}

/** Creates a client for another shop of the same server. Both clients share the functions of the control API. */
export function createShopClient(options: ClientOptions, other: Client): Client {
  return withPublicOperations(options, signRequest, other)
}
