// Spec 6.1 for receivers of webhooks: verifies webhooks and explains why one is invalid.

export {
  type ExplainedCause,
  type ExplainInput,
  type Explanation,
  explainSignature,
  type KnownSecret,
} from './explain-signature.ts'
export type { HeadersLike } from './header-value.ts'
export { type SecretInput, WebhookSecretError } from './secret.ts'
export { signWebhook, type WebhookToSign } from './sign-webhook.ts'
export { unwrapWebhook, WebhookVerificationError } from './unwrap-webhook.ts'
export {
  type VerifyFailure,
  type VerifyOptions,
  type VerifyResult,
  verifyWebhook,
  type WebhookMessage,
} from './verify-webhook.ts'
