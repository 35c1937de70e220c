// The OpenAPI document of the control API describes what the server accepts and returns.
import { expect, test } from 'vitest'
import { PLANNED_ERRORS } from '../../../src/domain/simulator-plan.ts'
import { DOCUMENTED_BODIES } from '../../../src/http/control/documented-bodies.ts'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import { openSandbox } from '../fixtures.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> }
}
interface Operation {
  readonly operationId: string
  readonly requestBody?: { readonly required: boolean }
  readonly parameters?: readonly { readonly name: string; readonly schema: object }[]
  readonly responses: Readonly<Record<string, unknown>>
}

async function documented() {
  const control = await openSandbox()
  const document = (await control.get('/openapi.json')).body as Document
  const operation = (name: string) => {
    const all = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    return all.find(({ operationId }) => operationId === name) as Operation
  }
  return { ...control, operation, schemas: document.components.schemas }
}

test.each(['', 'a\u0007b', 'x'.repeat(2001)])(
  'a listener with the address %j is refused, so that every state can be restored',
  async (url) => {
    const { post } = await openSandbox()
    expect((await post('/listeners', { url })).status).toBe(400)
  },
)

test('a state with a listener can be saved and restored', async () => {
  const { post, put } = await openSandbox()
  await post('/listeners', { url: 'http://localhost:3000/hooks' })
  await put('/snapshots/with-listener')
  expect((await post('/snapshots/with-listener/restore')).status).toBe(200)
})

test('a body that may be absent is accepted if it is absent, and one that is required is refused', async () => {
  const { operation, call, shop } = await documented()
  for (const { name, method, path, body } of CONTROL_ROUTES) {
    if (body === undefined || /\/(events|listeners)\/|\/refund$/.test(path)) continue
    const { status } = await call(method, `/_psp${path.replace(':id', shop)}`)
    expect([name, status < 400], name).toEqual([name, operation(name).requestBody?.required === false])
  }
})

test('the limit of a list is an integer from 1 to 1000', async () => {
  const { operation, get } = await documented()
  const limit = operation('listPayments').parameters?.find(({ name }) => name === 'limit')
  expect(limit?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 1000 })
  expect((await get('/payments?limit=1000')).status).toBe(200)
  for (const wrong of ['0', '1001', '1.5', '1e2', 'ten', '']) {
    const { status, body } = await get(`/payments?limit=${wrong}`)
    expect(status, wrong).toBe(400)
    expect(body.error.message).toContain('limit: expected an integer from 1 to 1000')
  }
})

test('the cursor of a page has the form that the document describes', async () => {
  const { operation, get, pay } = await documented()
  for (let i = 0; i < 3; i++) await pay()
  const { body } = await get('/payments?limit=1')
  const cursor = operation('listPayments').parameters?.find(({ name }) => name === 'cursor')?.schema as {
    pattern: string
  }
  expect(body.next_cursor).toMatch(new RegExp(cursor.pattern))
  expect((await get(`/payments?limit=5&cursor=${body.next_cursor}`)).body.items).toHaveLength(2)
  expect((await get('/payments?cursor=abc')).status).toBe(400)
})

test('exactly one goal of an advance, at most one target of a replay, and a code only of a failure are described', async () => {
  const { schemas } = await documented()
  expect(schemas['AdvanceClock']).toMatchObject({ minProperties: 1, maxProperties: 1 })
  expect(schemas['ReplayEvent']).toMatchObject({
    dependentSchemas: { endpoint_id: { properties: { url: { not: {} } } } },
  })
  const failure = { dependentSchemas: { failure_code: { properties: { status: { const: 'failed' } } } } }
  expect(schemas['SettlePayout']).toMatchObject(failure)
  expect(schemas['SettleRefund']).toMatchObject(failure)
})

test('a fault of one target with the form of another is described as wrong and refused', async () => {
  const { schemas, post } = await documented()
  let branch = schemas['CreateFault'] as Record<string, never>
  for (const target of ['api', 'webhook', 'stream', 'redirect']) {
    const { if: condition, then: form = {}, else: rest } = branch as Record<string, Record<string, unknown>>
    expect(condition).toEqual({ properties: { target: { const: target } } })
    const { fault } = form['properties'] as { fault: { pattern: string } }
    for (const text of ['latency:2s', 'duplicate:2', 'stall', 'delay:1s']) {
      const { status } = await post('/faults', { target, fault: text })
      expect([target, text, status === 201]).toEqual([target, text, new RegExp(fault.pattern).test(text)])
    }
    branch = rest as Record<string, never>
  }
})

test('the document names the refusals of a trigger: a shop without a payout route, and a refund that is too large', async () => {
  const { operation, post, patch, shop } = await documented()
  await patch(`/shops/${shop}`, { payout_route: false })
  const payout = await post('/trigger', { event: 'payout.succeeded' })
  const refund = await post('/trigger', { event: 'payment.refunded', set: { amount: 100, refund_amount: 101 } })
  expect([payout.body.error.code, refund.body.error.code]).toEqual(['route_not_configured', 'amount_exceeds_remainder'])
  expect(Object.keys(operation('trigger').responses)).toContain('422')
})

test.each(PLANNED_ERRORS)('the document names the refusal %s of a trigger, for which a rule may ask', async (code) => {
  const { operation, post } = await documented()
  await post('/rules', { plan: `error:${code}` })
  const { status, body } = await post('/trigger', { event: 'payment.succeeded' })
  expect(body.error.code).toBe(code)
  expect(Object.keys(operation('trigger').responses)).toContain(String(status))
})

test('each route refuses a wrong dry-run header with an error that the document names', async () => {
  const { call } = await openSandbox()
  for (const { method, path } of CONTROL_ROUTES) {
    const { status } = await call(method, `/_psp${path.replace(/:\w+/, 'x')}`, undefined, { 'x-psp-dry-run': 'yes' })
    expect([method, path, status]).toEqual([method, path, 400])
  }
})

test('the document has every route with its body and its responses', async () => {
  const { get } = await openSandbox()
  const { body: document } = await get('/openapi.json')
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '2026-05-06' } })
  for (const route of CONTROL_ROUTES) {
    const path = `/_psp${route.path.replace(/:(\w+)/g, '{$1}')}`
    const operation = document.paths[path]?.[route.method.toLowerCase()]
    expect(operation, `${route.method} ${path}`).toBeDefined()
    expect(operation.summary).toBe(route.summary)
    expect('requestBody' in operation).toBe(Object.hasOwn(DOCUMENTED_BODIES, route.name) || route.body !== undefined)
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(Object.keys(route.responses)))
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object))
  expect(operations).toHaveLength(CONTROL_ROUTES.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(CONTROL_ROUTES.length)
})

test('the document describes a list with its filters and its page', async () => {
  const { get } = await openSandbox()
  const { body: document } = await get('/openapi.json')
  const { parameters, responses } = document.paths['/_psp/payments'].get
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
    'limit',
    'cursor',
    'shop_id',
    'order_id',
    'id',
    'mode',
    'status',
    'method',
  ])
  expect(responses['200'].content['application/json'].schema).toEqual({ $ref: '#/components/schemas/PaymentPage' })
})
