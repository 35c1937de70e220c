// A client of a sandbox or of the real service, over any `fetch`.

import { type ControlOperations, controlOperations } from './control-operations.ts'
import { type ClientOptions, createHttpClient, type HttpClient } from './http-client.ts'
import { type PublicOperations, publicOperations } from './public-operations.ts'

/** The public API as functions, and the control API under `control`. */
export interface Client extends PublicOperations {
  /** The dashboard and the simulator. The real service does not have them. */
  readonly control: ControlOperations
  /** Sends custom requests with the client's credentials. */
  readonly raw: { readonly public: HttpClient; readonly control: HttpClient }
}

/**
 * Creates functions for each operation of a sandbox or of the real service, over the given `fetch`.
 * @example
 * const psp = createClient({ fetch, baseUrl: 'http://127.0.0.1:7770', apiKey: 'sk_test_…' })
 * const { payment } = await psp.payments.create({ amount: 100 })
 */
export function createClient(options: ClientOptions): Client {
  const raw = { public: createHttpClient(options, 'public'), control: createHttpClient(options, 'control') }
  return { ...publicOperations(raw.public), control: controlOperations(raw.control), raw }
}
