import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { ApiError } from '../../src/client/errors.ts'
import { isRejectedToken } from '../../src/dashboard/state/rejected-token.ts'

test('a token that no header can contain is a wrong token, so the form to sign in is shown again', async () => {
  const options = { baseUrl: 'http://127.0.0.1:9', controlToken: 'токен-из-чата', fetch: () => Promise.reject() }
  const error: unknown = await createClient(options)
    .control.health()
    .catch((reason: unknown) => reason)
  expect(isRejectedToken(error)).toBe(true)
  expect(isRejectedToken(new Error('no connection'))).toBe(false)
})

test('only the status 401 means that a token is wrong', () => {
  expect(isRejectedToken(new ApiError(401, 'unauthorized', 'Send a valid token.'))).toBe(true)
  expect(isRejectedToken(new ApiError(403, 'forbidden', 'This token may only read.'))).toBe(false)
})
