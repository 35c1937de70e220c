// `GET /_psp/deliveries/:id/diagnosis`: the signature of an attempt, and what the receiver may do wrong.
import { describe, expect, it } from 'vitest'
import type { Attempt, Delivery } from '../../../src/domain/delivery.ts'
import { FIXES, fixForResponse, fixForStatus } from '../../../src/domain/remediation.ts'
import { diagnose } from '../../../src/http/control/diagnosis.ts'
import { receiver } from '../../delivery/receiver.ts'
import { openSandbox } from '../fixtures.ts'

/** Opens a sandbox whose receiver responds with this, and sends one webhook. */
async function rejected(status: number, text: string, fault?: object) {
  const sandbox = await openSandbox()
  const { post, get, shop } = sandbox
  let responds = status
  const hook = await receiver((response) => void response.writeHead(responds).end(text))
  const { body: endpoint } = await post(`/shops/${shop}/endpoints`, { url: hook.url })
  if (fault !== undefined) await post('/faults', { target: 'webhook', ...fault })
  const id = await sandbox.pay({ method: 'sbp' })
  await post(`/payments/${id}/act`, { action: 'pay' })
  await post('/clock/advance', { by: '1s' })
  const { body } = await get(`/deliveries?object_id=${id}`)
  const delivery = body.items[0].id as string
  const diagnosis = (query = '') => get(`/deliveries/${delivery}/diagnosis${query}`)
  const accept = () => {
    responds = 200
  }
  return { ...sandbox, endpoint, delivery, diagnosis, accept }
}

const VALID = 'The sent bytes and signature are valid, so check the receiver.'

describe('the diagnosis of an attempt', () => {
  it('a valid webhook that was rejected lists the secret first if its URL accepted nothing yet', async () => {
    const { diagnosis } = await rejected(400, 'nope')
    expect((await diagnosis()).body).toEqual({
      attempt: 1,
      signature: 'valid',
      cause: null,
      message: 'The signature matches and its time is within the tolerance.',
      advice: `${VALID}\n1. Nothing has been accepted at this URL yet, so check the secret first. ${FIXES.secret}\n2. ${FIXES.raw_bytes}`,
    })
  })

  it('a valid webhook that was rejected lists the raw bytes first if its URL accepted another one', async () => {
    const { post, delivery, diagnosis, accept } = await rejected(400, 'nope')
    accept()
    await post(`/deliveries/${delivery}/retry`)
    const { body } = await diagnosis('?attempt=1')
    expect(body.advice).toBe(`${VALID}\n1. ${FIXES.raw_bytes}\n2. ${FIXES.secret}`)
  })

  it('reads at most 1,000 other deliveries, so a large store does not delay other requests', async () => {
    const { sandbox, delivery } = await rejected(400, 'nope')
    const { world } = sandbox.engine
    const row = world.get('deliveries', delivery) as Delivery
    let read = 0
    const rows = function* (table: 'deliveries' | 'shops' | 'endpoints') {
      if (table !== 'deliveries') return yield* world.rows(table)
      for (; read < 5000; read++) yield { ...row, url: 'http://127.0.0.1:1/other' }
    }
    await diagnose(Object.create(world, { rows: { value: rows } }), row, row.attempts[0] as Attempt)
    expect(read).toBe(1000)
  })

  it('an accepted webhook has no advice', async () => {
    const { diagnosis } = await rejected(200, 'ok')
    expect((await diagnosis()).body).toMatchObject({ signature: 'valid', advice: null })
  })

  it('a webhook that a fault changed was rejected correctly', async () => {
    const { diagnosis } = await rejected(400, 'bad signature', { fault: 'tamper' })
    const { body } = await diagnosis()
    expect(body).toMatchObject({ signature: 'invalid', cause: 'tampered' })
    expect(body.advice).toBe('The receiver is right to reject this webhook. The fault tamper changed it.')
  })

  it('a webhook without a signature was rejected correctly', async () => {
    const { diagnosis } = await rejected(401, '', { fault: 'unsigned' })
    expect((await diagnosis()).body).toMatchObject({ signature: 'invalid', cause: 'malformed_header' })
  })

  it('a secret that was rotated since the attempt is named', async () => {
    const { post, endpoint, diagnosis } = await rejected(400, '')
    await post(`/endpoints/${endpoint.id}/rotate-secret`)
    expect((await diagnosis()).body).toMatchObject({ signature: 'invalid', cause: 'rotated_secret' })
  })

  it('an attempt is chosen by its number, and another number is refused', async () => {
    const { post, diagnosis } = await rejected(500, 'oops')
    await post('/clock/advance', { by: '1m' })
    expect((await diagnosis('?attempt=1')).body.attempt).toBe(1)
    expect((await diagnosis()).body.attempt).toBeGreaterThan(1)
    expect((await diagnosis('?attempt=99')).body.error).toMatchObject({ code: 'not_found' })
    expect((await diagnosis('?attempt=zero')).body.error).toMatchObject({ code: 'bad_request' })
  })

  it('a delivery without an attempt is refused', async () => {
    const { post, get, shop, pay } = await openSandbox()
    await post('/listeners', { shop_id: shop, url: 'http://127.0.0.1:9/' })
    const id = await pay({ method: 'sbp' })
    await post(`/payments/${id}/act`, { action: 'pay' })
    const { body } = await get(`/deliveries?object_id=${id}`)
    expect((await get(`/deliveries/${body.items[0].id}/diagnosis`)).body.error).toMatchObject({ code: 'not_allowed' })
  })
})

describe('the fix for a response', () => {
  it.each([
    [400, 'Webhook Error: Timestamp outside the tolerance zone', /rejects the time/],
    [400, '{"error":"Unexpected token o in JSON at position 1"}', /raw bytes/],
    [401, 'No signatures found matching the expected signature for payload.', /raw bytes/],
    [403, '<h1>CSRF verification failed</h1>', /CSRF/],
    [400, 'the webhook secret is wrong', /whs_/],
  ])('the response %i %s gives a fix for its cause', (status, text, fix) => {
    expect(fixForResponse(status, text)).toMatch(fix)
  })

  it.each([
    [400, 'nope'],
    [500, 'invalid timestamp'],
    [404, 'raw'],
    [302, ''],
  ])('the response %i %s gives the fix for its status', (status, text) => {
    expect(fixForResponse(status, text)).toBe(fixForStatus(status))
  })
})
