// Commands to copy: curl for a webhook attempt or an API request, and `psp verify` for a signature.

import type { DeliveryView } from '../../client/control-types.ts'
import type { MessageView, RequestView } from '../../client/request-types.ts'
import { shellWord } from '../../domain/characters.ts'
import type { Detail } from '../model.ts'

/** Headers that curl adds itself. */
const OMITTED_HEADERS: ReadonlySet<string> = new Set(['content-length', 'host', 'connection', 'transfer-encoding'])

/**
 * Returns the curl command of the API request, or of the newest attempt; `undefined` if the detail contains neither.
 * @param url the address of the server
 */
export function curlText({ deliveries, request }: Detail, url: string): string | undefined {
  if (request !== undefined) return requestCurl(request, url)
  const delivery = newestAttempted(deliveries)
  const attempt = delivery?.attempts.at(-1)
  return delivery === undefined || attempt === undefined ? undefined : curl('POST', delivery.url, attempt.request)
}

/** Returns `undefined` if the detail contains no attempt. */
export function verifyText({ deliveries }: Detail): string | undefined {
  const delivery = newestAttempted(deliveries)
  return delivery === undefined ? undefined : `psp verify --delivery ${delivery.id} --explain`
}

/** Requires the order of the API: newest first. */
function newestAttempted(deliveries: readonly DeliveryView[]): DeliveryView | undefined {
  return deliveries.find(({ attempts }) => attempts.length > 0)
}

function requestCurl({ method, path, request }: RequestView, url: string): string {
  return curl(method, `${url.replace(/\/$/, '')}${path}`, request ?? {})
}

function curl(method: string, url: string, { headers = {}, body, body_b64 }: MessageView): string {
  const pairs: readonly (readonly [string, string])[] = Array.isArray(headers) ? headers : Object.entries(headers)
  const parts = [
    `curl -X ${shellWord(method)} ${shellWord(url)}`,
    ...pairs
      .filter(([name]) => !OMITTED_HEADERS.has(name.toLowerCase()))
      .map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
  ]
  if (body) parts.push(`--data-binary ${shellWord(body)}`)
  const command = parts.join(' ')
  return body_b64 === undefined ? command : `printf %s ${shellWord(body_b64)} | base64 -d | ${command} --data-binary @-`
}
