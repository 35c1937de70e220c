// Spec 5.6: the format of a shop's secrets, whose prefix shows their use. Masks secrets and API keys in any text.
import { maskUserInfo } from './http-url.ts'

const FORMATS = {
  signing_secret: { prefix: 'thm_', does: 'signs requests' },
  webhook_secret: { prefix: 'whs_', does: 'signs webhooks' },
} as const

export type SecretName = keyof typeof FORMATS

/** Returns the expected format, for error messages. */
export function secretFormat(name: SecretName): string {
  return `${FORMATS[name].prefix} and at least one visible character`
}

export function secretPattern(name: SecretName): RegExp {
  return new RegExp(`^${FORMATS[name].prefix}[\\x21-\\x7e]{1,200}$`)
}

/** Returns why `text` is not such a secret, or `undefined` if it is. Recognizes the other kind of secret. */
export function secretIssue(name: SecretName, text: string): string | undefined {
  if (secretPattern(name).test(text)) return undefined
  const other = FORMATS[name === 'signing_secret' ? 'webhook_secret' : 'signing_secret']
  const { prefix, does } = FORMATS[name]
  if (text.startsWith(other.prefix))
    return `a ${other.prefix} secret ${other.does}. Use a secret that begins with ${prefix}, which ${does}.`
  return `expected ${secretFormat(name)}.`
}

/** Masks API keys after their public part, other secrets after their prefix, and the user name and password in URLs. */
export function maskSecrets(text: string): string {
  return maskUserInfo(text)
    .replace(/\b(sk_(?:test|live)_[A-Za-z0-9]{6}_)[A-Za-z0-9._~+/=-]+/g, '$1***')
    .replace(/\b((?:whs|thm)_)[A-Za-z0-9._~+/=-]+/g, '$1***')
}
