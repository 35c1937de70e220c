// A command whose exit code is a result keeps it if the reader of stdout exits.
import { afterAll, expect, test } from 'vitest'
import { closeHandlers, serveHandler, startPsp } from '../helpers.ts'

afterAll(closeHandlers)

test.each([
  ['a check fails', 500, 8],
  ['each check passes', 200, 0],
])('`psp audit` exits with its code after its pipe was closed if %s', async (_, status, code) => {
  let sent = 0
  const url = await serveHandler((_request, response) => {
    if (++sent === 1) running.failStdout('EPIPE')
    response.writeHead(status).end()
  })
  const running = startPsp(['audit', url, '--only', 'valid,cyrillic'])
  expect((await running.ended).code).toBe(code)
  expect(sent).toBeGreaterThan(1)
})

test('`psp audit` exits with 1 if its output cannot be written to a full disk', async () => {
  const url = await serveHandler((_, response) => {
    running.failStdout('ENOSPC')
    response.end()
  })
  const running = startPsp(['audit', url])
  expect((await running.ended).code).toBe(1)
})
