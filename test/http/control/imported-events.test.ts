import { describe, expect, test } from 'vitest'
import { openSandbox } from '../fixtures.ts'

const BODY = '{"id":"evt_1", "event":"payment.succeeded","data":{"id":"pay_1","order_id":"A-7","amount":1.0}}'

function event(letter: string, change: object = {}) {
  return {
    id: `imp_${letter.repeat(24)}`,
    received_at: '2026-05-06T12:00:00.250Z',
    source: 'session.har entry 1',
    signature: 'valid',
    body: BODY,
    ...change,
  }
}

describe('imported events', () => {
  test('imported events are stored byte for byte, apart from the events of the sandbox', async () => {
    const { get, post } = await openSandbox()
    const result = await post('/imported-events', { events: [event('a'), event('b', { signature: 'missing' })] })
    expect(result).toMatchObject({ status: 201, body: { imported: 2, known: 0, total: 2 } })
    expect((await get('/events')).body.items).toEqual([])
    expect((await get('/imported-events')).body.items.map(({ id }: { id: string }) => id)).toEqual([
      `imp_${'b'.repeat(24)}`,
      `imp_${'a'.repeat(24)}`,
    ])
    expect((await get(`/imported-events/imp_${'a'.repeat(24)}`)).body).toMatchObject({
      event_id: 'evt_1',
      event: 'payment.succeeded',
      object_id: 'pay_1',
      order_id: 'A-7',
      received_at: '2026-05-06T12:00:00.250Z',
      signature: 'valid',
      cause: null,
      body: BODY,
    })
    expect((await get('/imported-events?order_id=A-7')).body.items).toHaveLength(2)
    expect((await get('/imported-events?order_id=A-8')).body.items).toEqual([])
    expect((await get('/imported-events/imp_x')).status).toBe(404)
  })

  test('an amount with the digits of a card number is not refused', async () => {
    const { post } = await openSandbox()
    const body = BODY.replace('1.0', '4111111111111111')
    expect((await post('/imported-events', { events: [event('a', { body })] })).status).toBe(201)
    for (const amount of ['"total":-4111111111111111', '"fee":{"value":"4111111111111111.00"}']) {
      const body = BODY.replace('"order_id"', `${amount},"order_id"`)
      expect((await post('/imported-events', { events: [event('c', { body })] })).status).toBe(201)
    }
    const card = BODY.replace('"A-7"', '4111111111111111')
    expect((await post('/imported-events', { events: [event('b', { body: card })] })).status).toBe(400)
  })

  test('a body that is not an event is refused for this reason only, even if it contains a card number', async () => {
    const { post } = await openSandbox()
    const message = async (body: string) =>
      (await post('/imported-events', { events: [event('a', { body })] })).body.error.message
    const noEvent = await message('{"note":"4111111111111111"}')
    expect(noEvent).toContain('the JSON of an event with id, event and data')
    expect(noEvent).not.toContain('card numbers')
    expect(await message(BODY.replace('A-7', '4111111111111111'))).toContain('a body without secrets and card numbers')
  })

  test('a second import of an event adds nothing, and `replace` removes earlier imports', async () => {
    const { get, post, remove } = await openSandbox()
    await post('/imported-events', { events: [event('a'), event('b')] })
    expect((await post('/imported-events', { events: [event('b'), event('c')] })).body).toEqual({
      imported: 1,
      known: 1,
      total: 3,
    })
    expect((await post('/imported-events', { events: [event('d')], replace: true })).body.total).toBe(1)
    expect((await get('/imported-events')).body.items).toHaveLength(1)
    expect((await remove('/imported-events')).status).toBe(204)
    expect((await get('/imported-events')).body.items).toEqual([])
  })

  test('one invalid event refuses the whole import', async () => {
    const { get, post } = await openSandbox()
    const wrong = [
      event('b', { body: 'no JSON' }),
      event('b', { body: '{"id":"evt_1","event":"payment.succeeded"}' }),
      event('b', { body: BODY.replace('A-7', 'whs_secret') }),
      event('b', { body: BODY.replace('A-7', '4111 1111 1111 1111') }),
      event('b', { id: 'evt_1' }),
      event('b', { signature: 'yes' }),
      event('b', { received_at: 'now' }),
    ]
    for (const each of wrong) {
      const { status, body } = await post('/imported-events', { events: [event('a'), each] })
      expect([status, body.error.code], JSON.stringify(each)).toEqual([400, 'bad_request'])
      expect(body.error.message).toMatch(/^events\.?\[?1\]?\./)
    }
    expect((await get('/imported-events')).body.items).toEqual([])
  })

  test('an import above the limit changes nothing, and the error names the setting', async () => {
    const { get, post, patch } = await openSandbox()
    await patch('/settings', { 'retention.imported': 2 })
    await post('/imported-events', { events: [event('a')] })
    const refused = await post('/imported-events', { events: [event('b'), event('c')] })
    expect(refused.status).toBe(400)
    expect(refused.body.error.message).toContain(
      'there would be 3 imported events, and the setting retention.imported is 2',
    )
    expect((await get('/imported-events')).body.items).toHaveLength(1)
    expect((await post('/imported-events', { events: [event('b'), event('c')], replace: true })).status).toBe(201)
  })

  test('a reset erases imported events, and an export, an import and a snapshot keep them', async () => {
    const { get, post, put } = await openSandbox()
    await post('/imported-events', { events: [event('a', { signature: 'invalid', cause: 'stale' })] })
    const stored = (await get('/imported-events')).body
    const exported = (await get('/export')).body
    await put('/snapshots/before')
    await post('/reset')
    expect((await get('/imported-events')).body.items).toEqual([])
    expect((await put('/import', exported)).status).toBe(200)
    expect((await get('/imported-events')).body).toEqual(stored)
    await post('/reset')
    await post('/snapshots/before/restore')
    expect((await get('/imported-events')).body).toEqual(stored)
  })
})
