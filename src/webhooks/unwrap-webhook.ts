// Spec 6.1, Receiver rules: verifies a webhook and throws if it is invalid.
import type { HeadersLike } from './header-value.ts'
import type { SecretInput } from './secret.ts'
import { type VerifyFailure, type VerifyOptions, verifyWebhook, type WebhookMessage } from './verify-webhook.ts'

/** Thrown by {@link unwrapWebhook} for an invalid webhook. Respond with 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: VerifyFailure
  constructor(reason: VerifyFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Returns the message of a webhook if its signature is valid. The arguments are those of `verifyWebhook`.
 * @throws {WebhookVerificationError} if it is invalid, and WebhookSecretError and TypeError like `verifyWebhook`
 */
export function unwrapWebhook(
  rawBody: Uint8Array | string,
  headers: HeadersLike,
  secret: SecretInput,
  options?: VerifyOptions,
): WebhookMessage {
  const result = verifyWebhook(rawBody, headers, secret, options)
  if (result.valid) return result.event
  throw new WebhookVerificationError(result.reason, result.message)
}
