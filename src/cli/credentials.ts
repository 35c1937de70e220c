// Which key a command uses when nobody named one.
import start from '../../fixtures/start-shop.json' with { type: 'json' }

/** The well-known key, for sandboxes on this machine only: it must never travel to another host. */
export function defaultApiKey(url: string): string | undefined {
  return isLoopback(new URL(url).hostname) ? start.api_key : undefined
}

export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost') || host === '::1') return true
  return /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host) || /^::ffff:(127\.|7f)/.test(host)
}
