import { isHttpUrl } from './http-url.ts'

/**
 * The base url of a server as people type it, without a slash at its end; `localhost:7770` is http. `undefined` where it is
 * none of http or https.
 */
export function baseUrl(text: string): string | undefined {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!isHttpUrl(whole)) return undefined
  const { origin, pathname } = new URL(whole)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}
