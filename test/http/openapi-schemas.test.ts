// The documents contain what generators of clients need: names, discriminators, formats, statuses and descriptions.
import { describe, expect, test } from 'vitest'
import { WEBHOOK_EVENTS } from '../../src/domain/events.ts'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'

interface Schema {
  readonly [key: string]: unknown
  readonly description?: string
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly items?: unknown
  readonly prefixItems?: unknown
  readonly oneOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
  readonly properties?: Readonly<Record<string, Schema>>
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>

interface Described {
  readonly description?: string
}

interface Parameter extends Described {
  readonly name: string
  readonly schema: Schema
}

interface Operation extends Described {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Described & { readonly headers?: object; readonly content?: Content }>>
}

interface Document {
  readonly info: Described
  readonly servers: readonly Described[]
  readonly tags: readonly Described[]
  readonly security: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: object }
}

// Each test creates its document, so that mutation testing knows which test covers which part.
const createPublic = () => publicDocument() as Document
const createControl = () => controlDocument(CONTROL_ROUTES) as Document
const BOTH: readonly (readonly [string, () => Document])[] = [
  ['public', createPublic],
  ['control', createControl],
]

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods))

const SENTENCE = /^\S.*\.$/s

const example = (content: Content) => content['application/json']?.example

/** Every object inside a node. */
function objectsIn(node: unknown): Schema[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(objectsIn)
  return Array.isArray(node) ? inner : [node as Schema, ...inner]
}

describe.each(BOTH)('the %s document', (_, create) => {
  test('names the schema of every body and response', () => {
    const document = create()
    const schemas = operationsOf(document).flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {})),
    )
    expect(schemas.filter(({ schema }) => schema.$ref === undefined)).toEqual([])
  })

  test('gives operations and schemas names that read well in code', () => {
    const document = create()
    for (const { operationId } of operationsOf(document)) expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)*$/)
    for (const name of Object.keys(document.components.schemas)) expect(name).toMatch(/^([A-Z][a-z]+)+(V\d)?$/)
  })

  test('describes itself, each tag, operation, parameter and response', () => {
    const { info, servers, tags, components, paths } = create()
    expect(components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', description: expect.stringMatching(SENTENCE) },
    })
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    const parameters = operations.flatMap((operation) => operation.parameters ?? [])
    const sentences = [info, ...servers, ...tags, ...parameters].map(({ description }) => description ?? '')
    expect(sentences.length).toBeGreaterThan(20)
    expect(sentences.filter((text) => !SENTENCE.test(text))).toEqual([])
    const responses = operations.flatMap((operation) => Object.values(operation.responses))
    const texts = [...operations.map(({ summary }) => summary), ...responses.map(({ description }) => description)]
    expect(texts.filter((text) => !/^\S/.test(text ?? ''))).toEqual([])
  })

  test('has a body for each successful response that is not empty, and no empty list of parameters', () => {
    for (const { operationId, parameters, responses } of operationsOf(create())) {
      if (parameters !== undefined) expect(parameters.length, operationId).toBeGreaterThan(0)
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2') && status !== '204')
      expect(successes.filter(([, { content }]) => content === undefined).map(([status]) => status)).toEqual([])
      expect(
        Object.keys(responses).some((status) => status.startsWith('2')),
        operationId,
      ).toBe(true)
    }
  })

  test('has no schema with the name of a global in JavaScript', () => {
    const document = create()
    const names = Object.keys(document.components.schemas)
    expect(names.filter((name) => name in globalThis)).toEqual([])
  })

  test('maps each variant of a union with a discriminator to a schema with a name', () => {
    const document = create()
    for (const { oneOf, discriminator } of objectsIn(document.components.schemas)) {
      if (oneOf === undefined) continue
      expect(discriminator).toBeDefined()
      expect(Object.values(discriminator?.mapping ?? {})).toEqual(oneOf.map(({ $ref }) => $ref))
    }
  })

  test('has no keyword that generators reject', () => {
    const document = create()
    for (const { items, prefixItems, type, propertyNames, const: constant } of objectsIn(document.components.schemas)) {
      expect(items).not.toBe(false)
      expect(constant).not.toEqual(expect.any(Boolean))
      expect(prefixItems).toBeUndefined()
      expect(propertyNames).not.toEqual({ type: 'string' })
      if (Array.isArray(type)) expect(type.filter((one) => one !== 'null')).toHaveLength(1)
    }
  })

  test('gives every time its format, also one that may be null', () => {
    const document = create()
    for (const { properties = {} } of objectsIn(document.components.schemas)) {
      for (const [name, schema] of Object.entries(properties)) {
        if (!/_(at|until)$|^(at|next_due)$/.test(name)) continue
        expect(schema, name).toMatchObject({ format: 'date-time' })
      }
    }
  })

  test('describes the wrong method with the methods of the path, and a missing key with its scheme', () => {
    const document = create()
    for (const { operationId, responses } of operationsOf(document)) {
      expect(responses['405']?.headers, operationId).toHaveProperty('Allow')
      expect(responses['401']?.headers, operationId).toHaveProperty('WWW-Authenticate')
    }
  })

  test('describes each property, and the unit of each amount and duration', () => {
    const document = create()
    expect(undescribed(document, '', document)).toEqual([])
  })
})

test('a message of the event stream is one of the schemas of its kinds', () => {
  const { components, paths } = createPublic()
  const { StreamMessage } = components.schemas
  expect(StreamMessage?.discriminator?.mapping).toEqual({
    'payment.created': '#/components/schemas/PaymentCreatedMessage',
    'payment.status_changed': '#/components/schemas/PaymentStatusChangedMessage',
    'payout.created': '#/components/schemas/PayoutCreatedMessage',
    'payout.status_changed': '#/components/schemas/PayoutStatusChangedMessage',
    'refund.created': '#/components/schemas/RefundCreatedMessage',
  })
  const { content } = paths['/v1/public/events']?.['get']?.responses['200'] ?? {}
  expect(content?.['text/event-stream']?.schema).toEqual({ $ref: '#/components/schemas/StreamMessage' })
})

test('signatures have a pattern in requests and in webhooks', () => {
  const document = createPublic()
  const patternOf = ({ parameters = [] }: Operation) =>
    new RegExp(parameters.find(({ name }) => name === 'X-PSP-Signature')?.schema.pattern ?? '$.')
  const hex = 'a'.repeat(64)
  for (const operation of operationsOf(document)) {
    expect(`sha256=${hex}`).toMatch(patternOf(operation))
    expect(`sha256=${hex.toUpperCase()}`).not.toMatch(patternOf(operation))
  }
  for (const name of WEBHOOK_EVENTS) {
    const pattern = patternOf(document.webhooks?.[name]?.post ?? { operationId: '', summary: '', responses: {} })
    for (const signature of [`t=1,v1=${hex},v2=${hex}`, `t=1,v2=${hex}`, `sha256=${hex}`]) {
      expect(signature).toMatch(pattern)
    }
    expect(`t=1,v2=${hex},v3=${hex}`).not.toMatch(pattern)
  }
})

test('the control document requires no token on a loopback host', () => {
  expect(createPublic().security).toEqual([{ bearer: [] }])
  expect(createControl().security).toEqual([{}, { bearer: [] }])
})

test('only operations that create objects have a key and a plan, and each id says whose it is', () => {
  const { paths } = createPublic()
  const parameters = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId, parameters: all = [] }) => {
      const names = all.map(({ name }) => name)
      const id = all.find(({ name }) => name === 'id')
      return [operationId, path, ['Idempotency-Key', 'X-PSP-Simulate'].map((name) => names.includes(name)), id] as const
    }),
  )
  const creating = parameters.filter(([, , has]) => has.includes(true)).map(([name, , has]) => [name, ...has])
  expect(creating).toEqual([
    ['createPayment', true, true],
    ['refundPayment', true, true],
    ['createPayout', true, true],
  ])
  for (const [, path, , id] of parameters) {
    if (!path.includes('{id}')) continue
    const object = path.includes('/payouts/') ? 'payout' : 'payment'
    expect([path, id?.description, id?.schema.format]).toEqual([
      path,
      `The id of the ${object}: a UUID in lower or upper case.`,
      'uuid',
    ])
  }
})

test('an operation has a body only if it reads one, with an example', () => {
  const bodies = operationsOf(createPublic()).flatMap(({ operationId, requestBody }) =>
    requestBody === undefined ? [] : [[operationId, requestBody.required, example(requestBody.content)]],
  )
  expect(bodies).toEqual([
    ['createPayment', true, expect.objectContaining({ amount: expect.any(Number) })],
    ['refundPayment', false, expect.objectContaining({ amount: expect.any(Number) })],
    ['createPayout', true, expect.objectContaining({ amount: expect.any(Number) })],
  ])
})

/** Returns the paths of properties without a description or, for a number, its unit. A reference may have it in its schema. */
function undescribed(value: unknown, path: string, document: Document): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = isSchema(value)
    ? Object.entries(value.properties).filter(([name, each]) => !isDescribed(name, descriptionOf(each, document)))
    : []
  return [
    ...own.map(([name]) => `${path}.${name}`),
    ...Object.entries(value).flatMap(([key, inner]) =>
      key === 'example' || key === 'examples' ? [] : undescribed(inner, `${path}/${key}`, document),
    ),
  ]
}

function isSchema(value: object): value is Required<Pick<Schema, 'properties'>> {
  return 'type' in value && value.type === 'object' && 'properties' in value
}

/** Fields whose number means nothing without its unit. */
const UNITS: { readonly [name: string]: RegExp } = {
  ms: /\bms\b/,
  amount: /minor unit/i,
  amount_refunded: /minor unit/i,
}

const isDescribed = (name: string, description: string) =>
  description !== '' && (UNITS[name]?.test(description) ?? true)

function descriptionOf({ description, $ref }: Schema, document: Document): string {
  if (description !== undefined || $ref === undefined) return description ?? ''
  const named = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  return (named as Schema).description ?? ''
}
