import { expect, test } from 'vitest'
import { consumedBodyResponse, hasBody, isConsumed } from '../../src/http/read-body.ts'

const request = () => new Request('http://psp.test/', { method: 'POST', body: '{}' })

test('a body is consumed if it was read, or if a reader has locked it', async () => {
  const [unread, read, locked] = [request(), request(), request()]
  await read.text()
  locked.body?.getReader()
  expect([unread, read, locked, new Request('http://psp.test/')].map(isConsumed)).toEqual([false, true, true, false])
})

test('the response to a consumed body says how to read a body twice', async () => {
  const response = consumedBodyResponse()
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      error: {
        code: 'bad_request',
        message:
          'The body of this request was read before the sandbox received the request. Read a clone instead: await request.clone().json().',
      },
    },
  ])
})

test.each([
  [{}, false],
  [{ 'content-length': '0' }, false],
  [{ 'content-length': '1' }, true],
  [{ 'transfer-encoding': 'chunked' }, true],
])('with the headers %j, a body follows: %s', (headers, follows) => {
  expect(hasBody({ headers })).toBe(follows)
})
