// Spec 5.6 and 6.1: checks and normalizes secrets from configuration.

/**
 * The `whs_…` secret of the endpoint, or a list of secrets during a rotation. The type allows `undefined` for an unset
 * environment variable, but the call then throws.
 */
export type SecretInput = string | undefined | readonly (string | undefined)[]

/** The secret is unusable. This is an error of the configuration, not of the webhook. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError'
}

/**
 * Removes the line ending that files, editors and `$(command)` on Windows add to a secret.
 * @throws {WebhookSecretError} if the secret is missing or empty, has spaces or quotes around it, or contains control
 * characters
 */
export function normalizeSecret(secret: string | undefined): string {
  if (typeof secret !== 'string') {
    throw new WebhookSecretError(
      'The webhook secret is not set. Set PSP_WEBHOOK_SECRET to the whs_… secret of the endpoint.',
    )
  }
  const trimmed = secret.replace(/(\r?\n|\r)+$/, '')
  if (trimmed === '') {
    throw new WebhookSecretError('The webhook secret is empty. Set it to the whs_… secret of the endpoint.')
  }
  const mistake = UNUSABLE_FORMATS.find(({ format }) => format.test(trimmed))
  if (mistake !== undefined) throw new WebhookSecretError(mistake.message)
  const control = /\p{Cc}/u.exec(trimmed)?.[0]
  if (control === undefined) return trimmed
  const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  throw new WebhookSecretError(
    `The webhook secret contains the control character ${code}. Copy it again, without colours and line breaks.`,
  )
}

/** Mistakes in `.env` files and shells. With such a secret no signature matches, and the sender seems to be wrong. */
const UNUSABLE_FORMATS = [
  {
    format: /^(undefined|null)$/,
    message:
      'The webhook secret is "undefined" or "null", so the variable was not set. Set PSP_WEBHOOK_SECRET to the whs_… secret of the endpoint.',
  },
  {
    format: /^[ \t\u00a0]|[ \t\u00a0]$/,
    message: 'The webhook secret begins or ends with a space or tab. Copy it again without it.',
  },
  {
    format: /^(["'`]).*\1$/,
    message: 'The webhook secret is in quotes, which are not part of it. Remove them from its setting.',
  },
] as const

/**
 * Normalizes one secret or a list of secrets.
 * @throws {WebhookSecretError} like `normalizeSecret`, and for an empty list, which no signature could match
 */
export function normalizeSecrets(secret: SecretInput): string[] {
  if (Array.isArray(secret) && secret.length === 0) {
    throw new WebhookSecretError('The list of webhook secrets is empty. Add the whs_… secret of the endpoint to it.')
  }
  const list: readonly (string | undefined)[] = Array.isArray(secret) ? secret : [secret]
  return list.map(normalizeSecret)
}

/** Returns the purpose of the secret by its prefix, or `undefined` for an unknown prefix. */
export function secretKind(secret: string): 'signing' | 'webhook' | undefined {
  if (secret.startsWith('thm_')) return 'signing'
  return secret.startsWith('whs_') ? 'webhook' : undefined
}
