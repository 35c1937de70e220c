import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import { createClient } from '../../client/client.ts'
import type { FetchLike } from '../../client/fetch-like.ts'
import { isLoopback } from '../../domain/loopback.ts'
import type { Session, Target } from '../session.ts'

interface TargetParts {
  readonly kind: Target['kind']
  readonly url: string
  readonly fetch: FetchLike
  /** The default if the user gives no key. */
  readonly apiKey: string | undefined
  readonly close: () => Promise<void>
}

export function createTarget({ values, dryRun }: Session, { kind, url, fetch, apiKey, close }: TargetParts): Target {
  const withKey = (key: string | undefined) =>
    createClient({
      fetch: dryRun?.wrap(fetch) ?? fetch,
      baseUrl: url,
      apiKey: key,
      signingSecret: values.signing_secret,
      controlToken: values.control_token,
    })
  return { kind, url, client: withKey(values.api_key ?? apiKey), withKey, close }
}

/** Returns the development key for a sandbox on this machine. Other hosts must never receive it. */
export function defaultApiKey(url: string): string | undefined {
  return isLoopback(new URL(url).hostname) ? start.api_key : undefined
}
