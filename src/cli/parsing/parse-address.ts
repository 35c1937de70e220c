// Addresses of a command line, of variables and of psp.config.json.
import { isIP } from 'node:net'
import { bareHost } from '../../domain/loopback.ts'
import { checkReturnUrl } from '../../domain/return-url.ts'
import { type AddressUse, normalizeAddress, unquoted } from '../../domain/typed-address.ts'
import { usage } from '../failure.ts'
import { shellHint } from '../input/named-path.ts'
import { filled, quote } from './parse.ts'

/** An address to listen on, without port; IPv6 also as urls have it: `[::1]`. */
export function listenHost(text: string): string {
  const host = unquoted(filled(text))
  if (isIP(bareHost(host)) !== 0 || /^[^\s/:@"'<>\\[\]]+$/.test(host)) return bareHost(host)
  throw usage(
    `${quote(text)} is not an address to listen on.`,
    'Write it without scheme and port, as 127.0.0.1, 0.0.0.0 or ::1; --port takes the port.',
  )
}

/** The base url of a server: of `--url`, and of the hosted page. */
export function serverAddress(text: string): string {
  return normalized(text, 'server')
}

/** Where a command sends webhooks itself; it takes `--header`. */
export function forwardUrl(text: string): string {
  return normalized(text, 'receiver', "Send it as a header: --header 'Authorization: Basic …'.")
}

/** Where the sandbox is to send webhooks. */
export function endpointUrl(text: string): string {
  return normalized(text, 'receiver')
}

/** As it is if it is complete, so that the API returns what was typed; else as `psp listen` takes it. */
export function webhookAddress(text: string): string {
  const whole = endpointUrl(text)
  return /^https?:\/\//i.test(unquoted(text)) ? unquoted(text) : whole
}

/** Spec 4.1. Whether http is allowed on this machine, a setting says. */
export function returnAddress(text: string): string {
  const url = unquoted(text)
  const why = checkReturnUrl(url, { allowLoopbackHttp: true })
  if (why === undefined) return url
  throw usage(`${quote(text)}: ${why}`, 'Write it as https://shop.example/thanks.')
}

function normalized(text: string, use: AddressUse, userInfoHint?: string): string {
  const read = normalizeAddress(text, use)
  if ('url' in read) return read.url
  if (userInfoHint !== undefined && /user name or password/.test(read.fault)) throw usage(read.fault, userInfoHint)
  throw usage(read.fault, shellHint(unquoted(text)) ?? read.hint)
}
