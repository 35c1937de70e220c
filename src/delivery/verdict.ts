// Spec 6.1, Delivery: success is any 2xx, whole and in time.
import type { HeaderList } from '../domain/delivery.ts'
import type { Answer } from './transport.ts'

export interface Verdict {
  readonly delivered: boolean
  /** Why not, in words. */
  readonly error?: string
}

export function judge({ status, headers, error }: Answer): Verdict {
  if (error !== undefined) return { delivered: false, error }
  if (status === undefined) return { delivered: false, error: 'No answer came.' }
  if (status >= 200 && status < 300) return { delivered: true }
  return { delivered: false, error: `The receiver answered ${status}${hint(status, headers ?? [])}` }
}

function hint(status: number, headers: HeaderList): string {
  if (status >= 300 && status < 400) {
    const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
    const to = location === undefined ? '' : ` to ${location.slice(0, 200)}`
    return ` (redirect${to}). Webhooks are not redirected: give the final url.`
  }
  if (status === 400 || status === 401 || status === 403) {
    return '. If it refused the signature: verify the raw body bytes, with the secret of this endpoint.'
  }
  if (status === 404 || status === 405) return '. Check the path of the url, and that it takes POST.'
  return '. Only a 2xx counts as delivered.'
}
