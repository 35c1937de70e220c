// Addresses of a server of one's own: where it listens, and where buyers reach its pages.
import { bareHost } from '../../domain/loopback.ts'
import { parsedUrl } from '../../domain/parsed-url.ts'
import { hasUserInfo } from '../../domain/user-info.ts'
import { usage } from '../failure.ts'
import { filled, quote } from './parse.ts'

/** An address to listen on; IPv6 also as urls have it: `[::1]`. */
export function listenHost(text: string): string {
  return bareHost(filled(text))
}

/** The base of payment urls (spec 2.2), without a slash at its end: a buyer's browser is sent there. */
export function pageBase(text: string): string {
  const given = filled(text).trim()
  const fault = baseFault(given)
  if (fault !== undefined)
    throw usage(`${quote(text)} ${fault}`, 'Write it as https://pay.example or http://127.0.0.1:7770.')
  return given.replace(/\/+$/, '')
}

function baseFault(given: string): string | undefined {
  if (!/^https?:\/\/[^/?#]/i.test(given) || /\s/.test(given) || parsedUrl(given) === undefined) {
    return 'is not a whole http or https url.'
  }
  if (hasUserInfo(given)) return 'holds a user name or password, which every payment url would show.'
  return /[?#]/.test(given) ? 'holds a query or a fragment; the path of a payment is added at its end.' : undefined
}
