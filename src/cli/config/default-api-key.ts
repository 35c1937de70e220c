// Which key a command uses when nobody named one.
import start from '../../../fixtures/start-shop.json' with { type: 'json' }
import { isLoopback } from '../../domain/loopback.ts'

/** The well-known key, for sandboxes on this machine only: it must never travel to another host. */
export function defaultApiKey(url: string): string | undefined {
  return isLoopback(new URL(url).hostname) ? start.api_key : undefined
}
