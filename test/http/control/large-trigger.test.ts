// A trigger may have a large body, but creates no row that an export could not write.
import { expect, test } from 'vitest'
import { openSandbox } from '../fixtures.ts'

test('a trigger with a body above 64 MiB is refused', async () => {
  const { post } = await openSandbox()
  const { status, body } = await post('/trigger', {
    event: 'payment.succeeded',
    set: { amount: 100, 'metadata.x': 'x'.repeat(64 * 1024 * 1024) },
  })
  expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
})

test('an export with an event whose text has millions of escapes can be imported', async () => {
  const { post, call, get } = await openSandbox()
  const value = '"'.repeat(10_000_000)
  const made = await post('/trigger', { event: 'payment.succeeded', set: { amount: 100, 'metadata.x': value } })
  expect(made.status).toBe(201)
  const { body: state } = await get('/export')
  expect((await call('PUT', '/_psp/import', state)).status).toBe(200)
})
