// Spec 6.1 for those who receive webhooks: verify one, or find out why it does not verify.

export {
  type ExplainedCause,
  type ExplainInput,
  type Explanation,
  explainSignature,
  type KnownSecret,
} from './explain.ts'
export type { HeadersLike } from './headers.ts'
export { type GivenSecret, WebhookSecretError } from './secret.ts'
export { signWebhook, type WebhookToSign } from './sign.ts'
export { unwrapWebhook, WebhookVerificationError } from './unwrap.ts'
export { type Verified, type VerifyFailure, type VerifyOptions, verifyWebhook, type WebhookMessage } from './verify.ts'
