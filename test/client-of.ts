import { createClient } from '../src/client/client.ts'
import { DEFAULT_SHOP } from '../src/domain/default-shop.ts'

/** Returns a client of the sandbox in this process, with the key of the default shop. */
export const clientOf = (
  sandbox: { fetch(request: Request): Promise<Response> },
  apiKey: string = DEFAULT_SHOP.api_key,
) =>
  createClient({
    fetch: (url, init) => sandbox.fetch(new Request(url, init)),
    baseUrl: 'http://127.0.0.1:7770',
    apiKey,
  })
