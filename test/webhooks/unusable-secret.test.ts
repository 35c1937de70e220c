import { expect, it } from 'vitest'
import { verifyWebhook, WebhookSecretError } from '../../src/webhooks/index.ts'

it.each([[undefined], [null], [''], [[]], ['undefined'], [' whs_secret'], ['whs_secret '], ['"whs_secret"']])(
  'a secret of %j is a fault of the configuration, and says so',
  (secret) => {
    const headers = { 'x-psp-signature': `t=1,v1=${'0'.repeat(64)},v2=${'0'.repeat(64)}` }
    expect(() => verifyWebhook('{}', headers, secret as unknown as string)).toThrow(WebhookSecretError)
  },
)
