import type { Endpoint } from '../domain/shop.ts'
import { httpUrl } from './row-formats.ts'

const WHERE = 'expected an absolute http or https URL without user name and password'

/**
 * Returns why the URL of a stored delivery is invalid. A listener may have any URL, because the listener sends the
 * webhook. So may a deleted endpoint, because nothing is sent to it any more.
 *
 * @param endpoint the endpoint of the delivery; `undefined` if it has none
 */
export function deliveryUrlIssue(
  { url, endpoint_id }: { readonly url: string; readonly endpoint_id?: string | undefined },
  endpoint: Pick<Endpoint, 'listener'> | undefined,
): string | undefined {
  const isSent = endpoint_id === undefined || (endpoint !== undefined && endpoint.listener !== true)
  return isSent && !httpUrl.safeParse(url).success ? WHERE : undefined
}
