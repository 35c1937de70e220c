// Spec 5.6 and 6.1: secrets as people paste them.

/**
 * `whs_…` of the endpoint, or a list while you change over from one to the next. A variable that is not set comes as
 * `undefined`: the type takes it as it is, and the call throws.
 */
export type SecretInput = string | undefined | readonly (string | undefined)[]

/** The secret itself cannot be used: a fault of the configuration, not of the message. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError'
}

/**
 * The secret without the line end that `$(command)` on Windows, files and editors leave behind.
 * @throws {WebhookSecretError} for a secret that is missing or empty (an unset variable comes as undefined), and for what
 * no secret is: blanks or quotes around it, control characters within it
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
  const slip = UNUSABLE_FORMS.find(({ form }) => form.test(trimmed))
  if (slip !== undefined) throw new WebhookSecretError(slip.message)
  const control = /\p{Cc}/u.exec(trimmed)?.[0]
  if (control === undefined) return trimmed
  const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  throw new WebhookSecretError(
    `The webhook secret holds the control character ${code}. Copy it again, without colours and line breaks.`,
  )
}

/** What `.env` files and shells make of a secret: with these nothing would fit, and the sender would be blamed. */
const UNUSABLE_FORMS = [
  {
    form: /^(undefined|null)$/,
    message:
      'The webhook secret is the word for a variable that is not set. Set PSP_WEBHOOK_SECRET to the whs_… secret of the endpoint.',
  },
  {
    form: /^[ \t\u00a0]|[ \t\u00a0]$/,
    message: 'The webhook secret begins or ends with a blank. Copy it again, without the blank.',
  },
  {
    form: /^(["'`]).*\1$/,
    message: 'The webhook secret stands in quotes, which are not part of it. Leave them out where it is set.',
  },
] as const

/**
 * One secret or several, each cleaned.
 * @throws {WebhookSecretError} as `cleanSecret`, and for an empty list: nothing would fit
 */
export function normalizeSecrets(secret: SecretInput): string[] {
  if (Array.isArray(secret) && secret.length === 0) {
    throw new WebhookSecretError('The list of webhook secrets is empty. Put the whs_… secret of the endpoint in it.')
  }
  const list: readonly (string | undefined)[] = Array.isArray(secret) ? secret : [secret]
  return list.map(normalizeSecret)
}

/** What the prefix says the secret is for; `undefined` where it says nothing. */
export function secretKind(secret: string): 'signing' | 'webhook' | undefined {
  if (secret.startsWith('thm_')) return 'signing'
  return secret.startsWith('whs_') ? 'webhook' : undefined
}
