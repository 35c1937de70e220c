import { expect, it } from 'vitest'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import { openSandbox } from '../fixtures.ts'

it('the document lists every route, with a schema for what it takes and answers', async () => {
  const { get } = await openSandbox()
  const { body: document } = await get('/openapi.json')
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '2026-05-06' } })
  for (const route of CONTROL_ROUTES) {
    const path = `/_psp${route.path.replace(/:(\w+)/g, '{$1}')}`
    const operation = document.paths[path]?.[route.method.toLowerCase()]
    expect(operation, `${route.method} ${path}`).toBeDefined()
    expect(operation.summary).toBe(route.summary)
    expect('requestBody' in operation).toBe(route.body !== undefined)
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(Object.keys(route.responses)))
  }
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object))
  expect(operations).toHaveLength(CONTROL_ROUTES.length)
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(CONTROL_ROUTES.length)
})

it('its references lead somewhere', async () => {
  const { get } = await openSandbox()
  const { body: document } = await get('/openapi.json')
  const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? []
  expect(references.length).toBeGreaterThan(100)
  for (const reference of new Set(references)) {
    expect(document.components.schemas).toHaveProperty(reference.split('/').at(-1) ?? '')
  }
})

it('lists end in a page, limits are told', async () => {
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
