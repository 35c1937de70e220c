// Spec 3.4 and 4.1: the URL to which the buyer returns after the payment.
import { hasUserInfo, isHttpUrl, WITHOUT_USER_INFO } from './http-url.ts'
import { isLoopback } from './loopback.ts'
import type { PaymentStatus } from './payment-states.ts'

/** Appends `payment_id` and `status`. Keeps the fragment and the query, even if the query has a `status`. */
export function returnLocation(returnUrl: string, paymentId: string, status: PaymentStatus): string {
  const url = new URL(returnUrl)
  const added = new URLSearchParams({ payment_id: paymentId, status }).toString()
  const joint = url.search === '' || url.search.endsWith('&') ? '' : '&'
  url.search = `${url.search}${joint}${added}`
  return url.href
}

/** Returns why the text is not a valid `return_url`. `allowLoopbackHttp` allows http on this machine. */
export function returnUrlIssue(
  text: string,
  { allowLoopbackHttp }: { readonly allowLoopbackHttp: boolean },
): string | undefined {
  const start = allowLoopbackHttp
    ? 'https://, or with http:// and a host of this machine such as localhost'
    : 'https://'
  if (!isHttpUrl(text)) return `return_url must be an absolute URL that starts with ${start}.`
  if (hasUserInfo(text)) return `return_url must be ${WITHOUT_USER_INFO}.`
  const url = new URL(text)
  if (url.protocol === 'https:') return undefined
  if (!isLoopback(url.hostname)) return `return_url must start with ${start}.`
  if (allowLoopbackHttp) return undefined
  return 'return_url must start with https://. To allow http on this machine, run `psp settings set http_return_url=true`.'
}
