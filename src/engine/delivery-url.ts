import type { Endpoint } from '../domain/shop.ts'
import { httpUrl } from './row-texts.ts'

const WHERE = 'expected an absolute http or https URL without user name and password'

/**
 * Returns why nothing may be sent to the url of a stored delivery. The url of a listener is any text, for the listener
 * itself sends; so is the url of an endpoint that has been deleted, to which nothing is sent any more.
 *
 * @param endpoint that the delivery names; `undefined` if there is none
 */
export function deliveryUrlFault(
  { url, endpoint_id }: { readonly url: string; readonly endpoint_id?: string | undefined },
  endpoint: Pick<Endpoint, 'listener'> | undefined,
): string | undefined {
  const isSent = endpoint_id === undefined || (endpoint !== undefined && endpoint.listener !== true)
  return isSent && !httpUrl.safeParse(url).success ? WHERE : undefined
}
