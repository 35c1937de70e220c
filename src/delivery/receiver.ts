import type { Delivery } from '../domain/delivery.ts'
import { parsedUrl } from '../domain/http-url.ts'

/** Returns the key of the receiver: the endpoint, or the URL if there is no endpoint. */
export function receiverOf(delivery: Pick<Delivery, 'endpoint_id' | 'url'>): string {
  return delivery.endpoint_id ?? delivery.url
}

/** Returns the server of a URL: `http://127.0.0.1:3000`. Returns the text unchanged if it is not a URL. */
export function originOf(url: string): string {
  return parsedUrl(url)?.origin ?? url
}
