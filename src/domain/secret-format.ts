// Spec 5.6: what a shop's secrets look like; the first letters tell them apart.

const FORMS = {
  signing_secret: { prefix: 'thm_', does: 'signs requests' },
  webhook_secret: { prefix: 'whs_', does: 'signs webhooks' },
} as const

export type SecretName = keyof typeof FORMS

/** What is expected: for a refusal. */
export function secretFormat(name: SecretName): string {
  return `${FORMS[name].prefix} and at least one visible character`
}

export function secretPattern(name: SecretName): RegExp {
  return new RegExp(`^${FORMS[name].prefix}[\\x21-\\x7e]{1,200}$`)
}

/** Why `text` is not that secret of a shop; `undefined` where it is. The other kind, taken for it, is named. */
export function secretIssue(name: SecretName, text: string): string | undefined {
  if (secretPattern(name).test(text)) return undefined
  const other = FORMS[name === 'signing_secret' ? 'webhook_secret' : 'signing_secret']
  const { prefix, does } = FORMS[name]
  if (text.startsWith(other.prefix))
    return `a ${other.prefix} secret ${other.does}; what ${does} begins with ${prefix}.`
  return `expected ${secretFormat(name)}.`
}
