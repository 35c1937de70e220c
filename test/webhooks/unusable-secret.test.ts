import { describe, expect, it } from 'vitest'
import { signWebhook, verifyWebhook, WebhookSecretError } from '../../src/webhooks/index.ts'

const NOT_SET = 'The webhook secret is not set. Set PSP_WEBHOOK_SECRET to the whs_… secret of the endpoint.'
const EMPTY = 'The webhook secret is empty. Set it to the whs_… secret of the endpoint.'
const UNSET_VARIABLE =
  'The webhook secret is "undefined" or "null", so the variable was not set. Set PSP_WEBHOOK_SECRET to the whs_… secret of the endpoint.'
const SPACE = 'The webhook secret begins or ends with a space or tab. Copy it again without it.'
const QUOTES = 'The webhook secret is in quotes, which are not part of it. Remove them from its setting.'
const control = (code: string) =>
  `The webhook secret contains the control character ${code}. Copy it again, without colours and line breaks.`

describe('verifyWebhook', () => {
  it.each([
    [undefined, NOT_SET],
    [null, NOT_SET],
    ['', EMPTY],
    ['\r\n', EMPTY],
    [[], 'The list of webhook secrets is empty. Add the whs_… secret of the endpoint to it.'],
    [['whs_secret', ''], EMPTY],
    ['undefined', UNSET_VARIABLE],
    ['null', UNSET_VARIABLE],
    ...[' ', '\t', '\u00a0'].flatMap((space) => [
      [`${space}whs_secret`, SPACE] as const,
      [`whs_secret${space}`, SPACE] as const,
    ]),
    ...['"', "'", '`'].map((quote) => [`${quote}whs_secret${quote}`, QUOTES] as const),
    ['whs_\u001b[32msecret', control('U+001B')],
    ['whs_a\nwhs_b', control('U+000A')],
    ['whs_\u0000', control('U+0000')],
    ['whs_\u009f', control('U+009F')],
  ] as const)('throws a WebhookSecretError for the secret %j', (secret, message) => {
    const call = () => verifyWebhook('{}', undefined, secret as unknown as string)
    expect(call).toThrow(new WebhookSecretError(message))
    expect(call).toThrow(expect.objectContaining({ name: 'WebhookSecretError' }))
  })

  it.each(['whs_secret', 'whs_with space', '"whs_half', 'whs_"in"side', 'undefined_', 'not null', '\u00e9'])(
    'accepts the secret %j, also with a line ending from a file',
    (secret) => {
      const header = signWebhook({ body: '{"id":"evt_1","event":"payment.failed"}', secret })
      for (const end of ['', '\r', '\n', '\r\n', '\n\n', '\r\n\r\n']) {
        expect(verifyWebhook('{"id":"evt_1","event":"payment.failed"}', header, secret + end).valid).toBe(true)
      }
    },
  )
})
