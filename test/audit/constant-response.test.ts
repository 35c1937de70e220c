// If an endpoint responds the same to every request, the audit reports that first, and no check passes.
import { expect, test } from 'vitest'
import type { FetchLike } from '../../src/client/fetch-like.ts'
import { audited, auditOf, ids } from './fixtures.ts'
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
  [404, 'Cannot POST /hook', 'Nothing is at this path'],
  [405, 'Method Not Allowed', 'does not accept POST'],
  [401, 'Unauthorized', 'the path requires a login'],
  [403, 'CSRF token missing', 'from login and CSRF protection'],
  [302, '', 'Give the final URL'],
  [500, 'oops', 'fails before it checks the signature'],
  [200, PAGE, 'a site, not to the webhook handler'],
])('an endpoint that responds %i to every request fails with the cause', async (status, text, cause) => {
  const report = await auditOf(always(status, text), { books: new Books() }, 'none')
  const [valid, ...rest] = report.checks
  expect(valid).toMatchObject({ id: 'valid', result: 'fail', fix: expect.stringContaining(cause) })
  expect(valid?.got).toContain(`the URL responds ${status} to every request, whether or not the signature is valid`)
  expect(valid?.fix).not.toMatch(/raw b|express\.raw/)
  expect(ids(report, 'pass')).toEqual([])
  for (const { fix } of rest) expect(fix).toMatch(/^Fix valid first: /)
})

test('a handler that verifies and then fails with an internal error gets the advice to read its log', async () => {
  const failing: Partial<Parts> = {
    handle() {
      throw new TypeError('orders.find is not a function')
    },
  }
  const { report } = await audited(failing, 'none')
  const [valid] = report.checks
  expect(valid).toMatchObject({ id: 'valid', result: 'fail', got: expect.stringMatching(/^500 in 0 ms/) })
  expect(valid?.fix).toBe('The receiver failed with an internal error. See its log.')
})

test('a check that runs alone gets a warning if the endpoint responds 404 to every request', async () => {
  const report = await auditOf(always(404, 'no'), { books: new Books() }, 'none', ['stale'])
  expect(report.checks[0]).toMatchObject({ result: 'warn', got: expect.stringContaining('this proves nothing') })
})
