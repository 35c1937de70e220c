import { expect, it } from 'vitest'
import { verifyWebhook, WebhookSecretError } from '../../src/webhooks/index.ts'

it.each([[undefined], [null], [''], [[]], ['undefined'], [' whs_secret'], ['whs_secret '], ['"whs_secret"']])(
  'verifyWebhook throws a WebhookSecretError for the secret %j',
  (secret) => {
    const headers = { 'x-psp-signature': `t=1,v1=${'0'.repeat(64)},v2=${'0'.repeat(64)}` }
    expect(() => verifyWebhook('{}', headers, secret as unknown as string)).toThrow(WebhookSecretError)
  },
)
