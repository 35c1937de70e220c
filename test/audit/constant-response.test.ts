// A url that answers one thing to everything: the true cause comes first, and nothing that follows from it counts as right.
import { expect, test } from 'vitest'
import type { FetchLike } from '../../src/client/fetch-like.ts'
import { audited, auditOf, ids } from './rig.ts'
import { Books, type Parts } from './shop.ts'

const PAGE = '<!DOCTYPE html><html><body>Welcome</body></html>'

function always(status: number, text: string): FetchLike {
  return async () => ({
    status,
    headers: { get: () => null },
    body: (async function* () {
      yield Buffer.from(text)
    })(),
    text: async () => text,
  })
}

test.each([
  [404, 'Cannot POST /hook', 'Nothing is there at this path'],
  [405, 'Method Not Allowed', 'takes no POST'],
  [401, 'Unauthorized', 'a login stands before the handler'],
  [403, 'CSRF token missing', 'without login and CSRF token'],
  [302, '', 'give the final url'],
  [500, 'oops', 'fails before it looks at the signature'],
  [200, PAGE, 'a site and not the webhook handler'],
])('%i to everything', async (status, text, cause) => {
  const report = await auditOf(always(status, text), { books: new Books() }, 'none')
  const [valid, ...rest] = report.checks
  expect(valid).toMatchObject({ id: 'valid', result: 'fail', fix: expect.stringContaining(cause) })
  expect(valid?.got).toContain(`it answers ${status} to everything, signed rightly or not at all`)
  expect(valid?.fix).not.toMatch(/raw b|express\.raw/)
  expect(ids(report, 'pass')).toEqual([])
  for (const { fix } of rest) expect(fix).toMatch(/^Fix valid first: /)
})

test('a handler that verifies, and then fails on its own, is told to look at its log', async () => {
  const failing: Partial<Parts> = {
    handle() {
      throw new TypeError('orders.find is not a function')
    },
  }
  const { report } = await audited(failing, 'none')
  const [valid] = report.checks
  expect(valid).toMatchObject({ id: 'valid', result: 'fail', got: expect.stringMatching(/^500 in 0 ms/) })
  expect(valid?.fix).toBe('Look at the log of the receiver: it failed on its own.')
})

test('one check alone is no proof either', async () => {
  const report = await auditOf(always(404, 'no'), { books: new Books() }, 'none', ['stale'])
  expect(report.checks[0]).toMatchObject({ result: 'warn', got: expect.stringContaining('this proves nothing') })
})
