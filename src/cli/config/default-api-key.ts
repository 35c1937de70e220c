// The API key of a command if none is given.
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import { isLoopback } from '../../domain/loopback.ts'

/** Returns the well-known key for a sandbox on this machine. Other hosts must never receive it. */
export function defaultApiKey(url: string): string | undefined {
  return isLoopback(new URL(url).hostname) ? start.api_key : undefined
}
