// A server that other machines can reach must not have the credentials that everybody knows.
import { expect, test } from 'vitest'
import { DEFAULT_SHOP } from '../../../src/domain/default-shop.ts'
import { psp } from '../helpers.ts'

const MESSAGE =
  'error Other machines can reach a server on 0.0.0.0, and this server has the public development credentials.'

test.each([
  [
    [],
    'Add --generate-credentials for random credentials, or all of --api-key, --signing-secret and --webhook-secret.',
  ],
  [['--api-key', DEFAULT_SHOP.api_key], 'Omit --api-key, and add --generate-credentials for random credentials.'],
  [
    ['--api-key', DEFAULT_SHOP.api_key, '--webhook-secret', DEFAULT_SHOP.webhook_secret],
    'Omit --api-key, --webhook-secret, and add --generate-credentials for random credentials.',
  ],
])('`psp serve --host 0.0.0.0` with the flags %j is refused with advice', async (flags, hint) => {
  const { code, stdout, stderr } = await psp(['serve', '--host', '0.0.0.0', '--port', '0', '--ephemeral', ...flags])
  expect([code, stdout, stderr]).toEqual([2, '', `${MESSAGE}\n${hint}\n`])
})
