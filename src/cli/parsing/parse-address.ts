// Parses addresses from flags, variables and psp.config.json.

import { isIP } from 'node:net'
import { quoteText } from '../../domain/characters.ts'
import { bareHost } from '../../domain/loopback.ts'
import { returnUrlIssue } from '../../domain/return-url.ts'
import { type AddressUse, normalizeAddress, unquoted } from '../../domain/typed-address.ts'
import { usageError } from '../failure.ts'
import { shellHint } from '../input/files.ts'
import { nonEmpty } from './parse.ts'

/** Parses an address to listen on, without a port. IPv6 may have brackets as in URLs: `[::1]`. */
export function listenHost(text: string): string {
  const host = unquoted(nonEmpty(text))
  if (isIP(bareHost(host)) !== 0 || /^[^\s/:@"'<>\\[\]]+$/.test(host)) return bareHost(host)
  throw usageError(
    `${quoteText(text)} is not an address to listen on.`,
    'Write it without scheme and port, as 127.0.0.1, 0.0.0.0 or ::1. Give the port with --port.',
  )
}

/** Parses the base URL of a server, for `--url` and `--pay-url`. */
export function serverAddress(text: string): string {
  return normalized(text, 'server')
}

/** Parses the URL to which a command itself sends webhooks. Its errors suggest `--header`, which such commands have. */
export function forwardUrl(text: string): string {
  return normalized(text, 'receiver', "Send it as a header: --header 'Authorization: Basic …'.")
}

export function endpointUrl(text: string): string {
  return normalized(text, 'receiver')
}

/** Keeps a complete URL unchanged, so that the API returns what the user gave. Completes others, as `psp listen`. */
export function webhookAddress(text: string): string {
  const complete = endpointUrl(text)
  return /^https?:\/\//i.test(unquoted(text)) ? unquoted(text) : complete
}

/** Parses a return URL (spec 4.1). The server checks whether loopback http is allowed, which a setting decides. */
export function returnAddress(text: string): string {
  const url = unquoted(text)
  const why = returnUrlIssue(url, { allowLoopbackHttp: true })
  if (why === undefined) return url
  throw usageError(`${quoteText(text)}: ${why}`, 'Write it as https://shop.example/thanks.')
}

function normalized(text: string, use: AddressUse, userInfoHint?: string): string {
  const address = normalizeAddress(text, use)
  if ('url' in address) return address.url
  const { issue, hint } = address
  if (userInfoHint !== undefined && /user name or password/.test(issue)) throw usageError(issue, userInfoHint)
  throw usageError(issue, shellHint(unquoted(text)) ?? hint)
}
