import type { Delivery } from '../domain/delivery.ts'
import { parsedUrl } from '../domain/parsed-url.ts'

/** Who gets a delivery: one endpoint, or one url where there is no endpoint. */
export function receiverOf(delivery: Pick<Delivery, 'endpoint_id' | 'url'>): string {
  return delivery.endpoint_id ?? delivery.url
}

/** `http://127.0.0.1:3000`: the server behind a url; the text itself where it is no url. */
export function originOf(url: string): string {
  return parsedUrl(url)?.origin ?? url
}
