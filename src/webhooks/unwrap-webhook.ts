// Spec 6.1, Receiver rules: the verified message or an exception, for handlers that prefer one.
import type { HeadersLike } from './header-value.ts'
import type { SecretInput } from './secret.ts'
import { type VerifyFailure, type VerifyOptions, verifyWebhook, type WebhookMessage } from './verify-webhook.ts'

/** Thrown by {@link unwrapWebhook}: answer 400 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: VerifyFailure
  constructor(reason: VerifyFailure, message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * The message of a webhook whose signature fits; arguments as of `verifyWebhook`.
 * @throws {WebhookVerificationError} when it does not; WebhookSecretError and TypeError as `verifyWebhook`
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
