// Spec 3.4 and 4.1: where the buyer is sent when the payment is over.
import { isHttpUrl } from './http-url.ts'
import { isLoopback } from './loopback.ts'
import type { PaymentStatus } from './payment-states.ts'
import { hasUserInfo, WITHOUT_USER_INFO } from './user-info.ts'

/**
 * `return_url` with `payment_id` and `status` appended. Its own query stays byte for byte, a `status` of its own too, and
 * so does the fragment.
 */
export function returnLocation(returnUrl: string, paymentId: string, status: PaymentStatus): string {
  const url = new URL(returnUrl)
  const added = new URLSearchParams({ payment_id: paymentId, status }).toString()
  const joint = url.search === '' || url.search.endsWith('&') ? '' : '&'
  url.search = `${url.search}${joint}${added}`
  return url.href
}

/** Why `text` cannot be a `return_url`, or `undefined` when it can. `allowLoopbackHttp` lets http in on this machine. */
export function checkReturnUrl(text: string, options: { readonly allowLoopbackHttp: boolean }): string | undefined {
  if (!isHttpUrl(text)) {
    return 'return_url must be an absolute URL that starts with https://.'
  }
  if (hasUserInfo(text)) return `return_url must be ${WITHOUT_USER_INFO}.`
  const url = new URL(text)
  if (url.protocol === 'https:') return undefined
  if (!isLoopback(url.hostname)) return 'return_url must start with https://.'
  if (options.allowLoopbackHttp) return undefined
  return 'return_url must start with https://; `psp settings set http_return_url=true` allows http on this machine.'
}
