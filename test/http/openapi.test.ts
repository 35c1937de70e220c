// The documents pass two linters, and the responses of the server match them.
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { API_ERRORS } from '../../src/domain/errors.ts'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { PLANNED_ERRORS } from '../../src/domain/simulator-plan.ts'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import * as objects from '../../src/http/openapi/objects.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import { paymentEvent, payoutEvent } from '../../src/http/openapi/webhooks.ts'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import { type Adapter, openSandboxAdapter } from '../contract/adapter.ts'
import { createPayment, createPayout, get, PAYMENTS, PAYOUTS, post, succeeded } from '../contract/caller.ts'

// Both packages are CommonJS.
const { Spectral } = spectralCore
const { oas } = spectralRulesets

let adapter: Adapter
beforeEach(async () => {
  adapter = await openSandboxAdapter()
})
afterEach(() => adapter.close())

/** Returns the problems that Redocly finds, warnings included. */
async function redocly(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const source = JSON.stringify(document)
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)
}

/** Returns the problems that Spectral finds with its rules for OpenAPI, warnings and hints included. */
async function spectral(document: unknown): Promise<string[]> {
  const linter = new Spectral()
  linter.setRuleset({ extends: [oas as unknown as RulesetDefinition] })
  const problems = await linter.run(JSON.parse(JSON.stringify(document)))
  return problems.map(({ code, message, path }) => `${code}: ${message} ${path.join('/')}`)
}

const DOCUMENTS = [
  ['public', publicDocument()],
  ['control', controlDocument(CONTROL_ROUTES)],
] as const

const LINTERS = [
  ['Redocly', redocly],
  ['Spectral', spectral],
] as const

describe.each(LINTERS)('%s', (_, lint) => {
  test.each(DOCUMENTS)('finds no problem in the %s document', async (_, document) => {
    expect(await lint(document)).toEqual([])
  })

  test('finds a problem in a wrong document', async () => {
    const { paths: _, components: __, webhooks: ___, ...rest } = publicDocument() as Record<string, object>
    const problems = await lint({ ...rest, paths: { '/x': { get: { responses: {} } } } })
    expect(problems.join('\n')).toMatch(/paths\/(~1|\/)x\/get/)
  })
})

describe('GET /openapi.json', () => {
  test('needs no key and carries the version label', async () => {
    const { status, body } = await get(adapter, '/openapi.json', { key: null })
    expect(status).toBe(200)
    expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '2026-05-06' } })
    expect(body).toEqual(JSON.parse(JSON.stringify(publicDocument())))
  })

  test('describes the planned errors of each operation with a plan', () => {
    const { paths } = publicDocument() as { paths: Record<string, Record<string, { responses: object }>> }
    for (const path of ['/v1/public/payments', '/v1/public/payouts', '/v1/public/payments/{id}/refund']) {
      const statuses = Object.keys(paths[path]?.['post']?.responses ?? {})
      for (const code of PLANNED_ERRORS) expect(statuses, `${path} ${code}`).toContain(String(API_ERRORS[code].status))
    }
  })

  test('describes every operation with its method', async () => {
    const { paths } = publicDocument() as { paths: Record<string, object> }
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = Object.values(PUBLIC_OPERATIONS).map(
      ({ method, path }) => `${method} /v1/public${path.replace(/:(\w+)/, '{$1}')}`,
    )
    expect(described.sort()).toEqual(served.sort())
  })

  test('describes headers with their limits, and each error by its code', () => {
    // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
    const { post } = (publicDocument() as any).paths['/v1/public/payments']
    const key = post.parameters.find(({ name }: { name: string }) => name === 'Idempotency-Key')
    expect(key).toMatchObject({
      in: 'header',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 64 },
    })
    const shown = ['200', '201', '400', '401', '403', '409', '413', '429', '500', '502', '503']
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(shown))
    expect(post.responses['403'].description).toContain('`aml_blocked`')
    expect(post.responses['429'].headers).toHaveProperty('Retry-After')
  })

  test('describes a return_url as https, as the server requires it', async () => {
    const { components } = publicDocument() as {
      components: { schemas: { CreatePayment: { properties: { return_url: { pattern: string } } } } }
    }
    const { return_url } = components.schemas.CreatePayment.properties
    for (const url of ['https://shop.example/', 'http://shop.example/', 'http://localhost/']) {
      const { status } = await createPayment(adapter, { return_url: url })
      expect([url, status === 201]).toEqual([url, new RegExp(return_url.pattern).test(url)])
    }
  })

  test('describes every webhook with its headers and body', () => {
    const { webhooks } = publicDocument() as { webhooks: Record<string, { post: Record<string, unknown> }> }
    expect(Object.keys(webhooks)).toEqual([...WEBHOOK_EVENTS])
    for (const [name, { post }] of Object.entries(webhooks)) {
      const schema = `#/components/schemas/${name.startsWith('payout') ? 'PayoutEvent' : 'PaymentEvent'}`
      expect(post).toMatchObject({
        parameters: [{ name: 'X-PSP-Event-Id' }, { name: 'X-PSP-Timestamp' }, { name: 'X-PSP-Signature' }],
        requestBody: { content: { 'application/json': { schema: { $ref: schema } } } },
      })
    }
  })
})

describe('responses', () => {
  const strict = (schema: z.ZodObject, value: unknown) => expect(schema.strict().parse(value)).toEqual(value)

  test('payments have exactly the described fields', async () => {
    const created = (await createPayment(adapter, { method: 'cards', return_url: 'https://shop.example/' })).body
    strict(objects.createdPayment, created)
    strict(objects.payment, created.payment)
    await adapter.arrange.advance(10_000)
    strict(objects.payment, (await get(adapter, `${PAYMENTS}/${created.payment.id}`)).body)
    strict(objects.createdPayment, (await createPayment(adapter, { amount: 10_073 })).body)
    const { payment } = (await createPayment(adapter)).body
    strict(objects.cancelled, (await post(adapter, `${PAYMENTS}/${payment.id}/cancel`)).body)
  })

  test('refunds have exactly the described fields', async () => {
    const id = await succeeded(adapter)
    strict(objects.createdRefund, (await post(adapter, `${PAYMENTS}/${id}/refund`, { reason: 'x' })).body)
    const { refunds } = (await get(adapter, `${PAYMENTS}/${id}`)).body
    strict(objects.refund, refunds[0])
  })

  test('payouts and banks have exactly the described fields', async () => {
    const created = (await createPayout(adapter, { full_name: 'A' })).body
    strict(objects.createdPayout, created)
    strict(objects.createdPayout, (await createPayout(adapter, { phone: '+70000000073' })).body)
    strict(objects.payout, (await get(adapter, `${PAYOUTS}/${created.payout.id}`)).body)
    strict(objects.bankList, (await get(adapter, '/v1/public/banks/sbp')).body)
  })

  test('webhook events have exactly the described fields', async () => {
    const id = await succeeded(adapter, { webhook_url: 'http://127.0.0.1:9/' })
    await post(adapter, `${PAYMENTS}/${id}/refund`)
    const payout = (await createPayout(adapter)).body.payout
    await adapter.arrange.advance(10_000)
    const { items } = (await get(adapter, '/_psp/events', { key: null })).body
    expect(items.map(({ event }: { event: string }) => event)).toEqual([
      'payout.succeeded',
      'payment.refunded',
      'payment.succeeded',
    ])
    for (const { shop_id, object_id, ...body } of items) {
      expect([id, payout.id]).toContain(object_id)
      strict(object_id === id ? paymentEvent : payoutEvent, body)
    }
  })
})
