// The document of the public API has a valid example for each operation and response, and a description for each field.

import { expect, test } from 'vitest'
import * as z from 'zod'
import examples from '../../fixtures/api-examples.json' with { type: 'json' }
import { API_ERRORS } from '../../src/domain/errors.ts'
import * as objects from '../../src/http/openapi/objects.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'
import { STREAM_MESSAGES } from '../../src/http/openapi/stream-messages.ts'
import { paymentEvent, payoutEvent } from '../../src/http/openapi/webhooks.ts'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import { makeApiExamples } from './api-examples.ts'

// `npm run docs` writes the file.
test('the shipped examples match the responses of a sandbox', async () => {
  const made = `${JSON.stringify(await makeApiExamples(), null, 2)}\n`
  await expect(made).toMatchFileSnapshot('../../fixtures/api-examples.json')
})

const RESPONSES: { readonly [O in keyof typeof PUBLIC_OPERATIONS]: z.ZodType } = {
  createPayment: objects.createdPayment,
  getPayment: objects.payment,
  cancelPayment: objects.cancelled,
  refundPayment: objects.createdRefund,
  createPayout: objects.createdPayout,
  getPayout: objects.payout,
  listBanks: objects.bankList,
  streamEvents: z.string(),
}

test('each example matches its schema', () => {
  for (const [name, { request, responses }] of Object.entries<{ request?: unknown; responses: object }>(
    examples.operations,
  )) {
    const operation = name as keyof typeof RESPONSES
    for (const answer of Object.values(responses)) RESPONSES[operation].parse(answer)
    if (request !== undefined) PUBLIC_OPERATIONS[operation].body?.schema.parse(request)
  }
  for (const [name, body] of Object.entries(examples.webhooks)) {
    ;(name.startsWith('payout.') ? payoutEvent : paymentEvent).parse(body)
  }
  for (const [kind, message] of Object.entries(examples.stream)) {
    STREAM_MESSAGES[kind as keyof typeof STREAM_MESSAGES].parse(message)
  }
})

type Node = Readonly<Record<string, unknown>>

test('every field, parameter and header has a description', () => {
  const undescribed: string[] = []
  walk(publicDocument(), '', (node, place) => {
    for (const [name, field] of Object.entries((node['properties'] ?? {}) as Record<string, Node>)) {
      if (field['description'] === undefined && field['$ref'] === undefined) undescribed.push(`${place}.${name}`)
    }
    for (const parameter of (node['parameters'] ?? []) as Node[]) {
      if (parameter['description'] === undefined) undescribed.push(`${place} ${parameter['name']}`)
    }
  })
  expect(undescribed).toEqual([])
})

test('every body and response has an example, and every error one for each code', () => {
  const without: string[] = []
  const shown = new Set<string>()
  walk(publicDocument(), '', (node, place) => {
    const json = (node['content'] as Node | undefined)?.['application/json'] as Node | undefined
    if (json === undefined) return
    if (json['example'] === undefined && json['examples'] === undefined) without.push(place)
    for (const code of Object.keys((json['examples'] ?? {}) as Node)) shown.add(code)
  })
  expect(without).toEqual([])
  for (const code of ['not_pending', 'idempotent_conflict', 'amount_exceeds_remainder', 'router_error']) {
    expect([...shown]).toContain(code)
  }
  for (const code of shown) expect(Object.keys(API_ERRORS)).toContain(code)
})

function walk(value: unknown, place: string, see: (node: Node, place: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  see(value as Node, place)
  for (const [key, inner] of Object.entries(value)) if (key !== 'example') walk(inner, `${place}/${key}`, see)
}
