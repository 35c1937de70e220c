// Which forms are ours: sent from this origin, and carrying the token of their payment.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { parsedUrl } from '../../domain/parsed-url.ts'
import type { Randomness } from '../../engine/ports.ts'
import { type AppContext, header } from '../app-env.ts'

export interface FormGuard {
  /** Goes into each form of a payment's page as `token`. */
  token(paymentId: string): string
  accepts(c: AppContext, paymentId: string, form: URLSearchParams): boolean
}

/** @param payUrl returns the base URL of the page for a buyer, which a proxy may answer */
export function createFormGuard(random: Randomness, payUrl: (c: AppContext) => string): FormGuard {
  // Drawn when the first page is shown: sandboxes that show none keep their sequence of ids.
  let secret: string | undefined
  const tokenOf = (id: string) => {
    secret ??= random.token(43)
    return createHmac('sha256', secret).update(id).digest('base64url')
  }
  return {
    token: tokenOf,
    accepts: (c, id, form) => isSameOrigin(c, payUrl(c)) && equal(form.get('token') ?? '', tokenOf(id)),
  }
}

/** Browsers tell which site a form comes from; what is no browser tells nothing, and has no buyer to deceive. */
function isSameOrigin(c: AppContext, payUrl: string): boolean {
  const site = header(c, 'sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = header(c, 'origin')
  if (origin === undefined) return true
  const host = parsedUrl(origin)?.host
  if (host === undefined) return false
  // A proxy calls us by another name than browsers call it.
  return host === (header(c, 'host') ?? new URL(c.req.url).host) || host === parsedUrl(payUrl)?.host
}

function equal(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
