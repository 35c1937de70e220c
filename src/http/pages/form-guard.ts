// CSRF protection: rejects forms from another origin, and forms without the token of their payment.

import { createHmac } from 'node:crypto'
import { parsedUrl } from '../../domain/http-url.ts'
import { equalText } from '../../domain/signatures.ts'
import type { Randomness } from '../../engine/ports.ts'
import { type AppContext, header } from '../app-env.ts'

export interface FormGuard {
  /** Returns the value of the hidden field `token` in each form on the payment's page. */
  token(paymentId: string): string
  accepts(c: AppContext, paymentId: string, form: URLSearchParams): boolean
}

/** @param payUrl returns the base URL of the page as the buyer sees it, which may be that of a proxy */
export function createFormGuard(random: Randomness, payUrl: (c: AppContext) => string): FormGuard {
  // Generated when the first page is shown. Ids use the same random source, so an earlier call would change the ids of
  // a sandbox with a random seed.
  let secret: string | undefined
  const tokenOf = (id: string) => {
    secret ??= random.token(43)
    return createHmac('sha256', secret).update(id).digest('base64url')
  }
  return {
    token: tokenOf,
    accepts: (c, id, form) => isSameOrigin(c, payUrl(c)) && equalText(form.get('token') ?? '', tokenOf(id)),
  }
}

/** Accepts a request without an origin: browsers send one, and only they can be made to send a forged request. */
function isSameOrigin(c: AppContext, payUrl: string): boolean {
  const site = header(c, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = header(c, 'origin')
  if (origin === undefined) return true
  const host = parsedUrl(origin)?.host
  if (host === undefined) return false
  // Behind a proxy, Host is not the host that the browser uses.
  return host === (header(c, 'host') ?? new URL(c.req.url).host) || host === parsedUrl(payUrl)?.host
}
