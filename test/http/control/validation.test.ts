// The messages for invalid bodies, queries and names, on each route. None is a message of the schema library.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import { readSeed } from '../../../src/sandbox.ts'
import { parseScenario } from '../../../src/scenarios/scenario.ts'
import { openSandbox } from '../fixtures.ts'

const LIBRARY_MESSAGE = /Invalid|Unrecognized|Too (big|small)|undefined|expected expected|\bNaN\b/

const VALUES = [null, [], {}, 'x', '', -1, 1.5, 1e99, true, [null], [[]], [{}], { x: null }, { __proto__x: 1 }]

/** Returns bodies with one invalid field each, for each form of a union. */
function wrongBodies(schema: z.ZodType): unknown[] {
  const forms = schema instanceof z.ZodDiscriminatedUnion ? schema.options : [schema]
  const bodies: unknown[] = [...VALUES]
  for (const form of forms) {
    if (!(form instanceof z.ZodObject)) continue
    const literals = Object.entries(form.shape).flatMap(([name, field]) =>
      field instanceof z.ZodLiteral ? [[name, [...field.values][0]] as const] : [],
    )
    const base = Object.fromEntries(literals)
    for (const name of Object.keys(form.shape)) for (const value of VALUES) bodies.push({ ...base, [name]: value })
  }
  return bodies
}

const bodied = CONTROL_ROUTES.flatMap((route) =>
  route.body === undefined ? [] : [{ method: route.method, path: route.path, schema: route.body }],
)

test.each(bodied)(
  '$method $path refuses invalid bodies without a message of the schema library',
  async ({ method, path, schema }) => {
    const { call, shop } = await openSandbox()
    let refused = 0
    for (const body of wrongBodies(schema)) {
      const { status, body: response } = await call(method, `/_psp${path.replace(':id', shop)}`, JSON.stringify(body))
      if (status < 400) continue
      refused++
      expect(response.error.message, JSON.stringify(body)).not.toMatch(LIBRARY_MESSAGE)
    }
    expect(refused).toBeGreaterThan(0)
  },
)

test.each(bodied)('$method $path says what it expected if the body is not an object', async ({ method, path }) => {
  const { call, shop } = await openSandbox()
  for (const [body, got] of [
    ['[]', 'an array'],
    ['null', 'null'],
    ['7', '7'],
  ] as const) {
    const response = await call(method, `/_psp${path.replace(':id', shop)}`, body)
    expect(response.body.error).toEqual({
      code: 'bad_request',
      message: `body: expected a JSON object, got ${got}.`,
    })
  }
})

test('an import refuses invalid rows without a message of the schema library', async () => {
  const { put, get } = await openSandbox()
  const { body: state } = await get('/export')
  for (const table of Object.keys(state.tables)) {
    for (const row of VALUES) {
      const { status, body } = await put('/import', { ...state, tables: { ...state.tables, [table]: [row] } })
      expect(status).toBe(400)
      expect(body.error.message).not.toMatch(LIBRARY_MESSAGE)
    }
  }
})

/** The fields without which a body is refused before its other fields are checked. */
const REQUIRED_FIELDS: { readonly [path: string]: string } = {
  '/trigger': '"event":"payment.succeeded",',
  '/import': '"format":"psp-sandbox/1","tables":{},',
}

const strict = bodied.filter(({ path }) => path !== '/import')

test.each(strict)('$method $path refuses __proto__ as an unknown field', async ({ method, path }) => {
  const { call, shop } = await openSandbox()
  const { status, body } = await call(
    method,
    `/_psp${path.replace(':id', shop)}`,
    `{${REQUIRED_FIELDS[path] ?? ''}"__proto__":{"x":1}}`,
  )
  expect(status).toBe(400)
  if (path !== '/clock' && !path.endsWith('/act')) expect(body.error.message).toContain('__proto__')
})

test.each([
  ['/rules', '"plan":"failed"'],
  ['/faults', '"target":"api","fault":"reset"'],
])('POST %s refuses __proto__ as a field to match on', async (path, fields) => {
  const { call, get } = await openSandbox()
  const { status, body } = await call('POST', `/_psp${path}`, `{"match":{"__proto__":"x"},${fields}}`)
  expect(status).toBe(400)
  expect(body.error.message).toMatch(/^match\.__proto__: unknown field\. The fields are /)
  expect((await get(path)).body.items).toEqual([])
})

const queried = CONTROL_ROUTES.filter(({ query, responses }) => query && !Object.values(responses).includes('stream'))

test.each(queried)('$method $path refuses __proto__ in the query', async ({ method, path }) => {
  const { call, shop } = await openSandbox()
  const response = await call(method, `/_psp${path.replace(':id', shop)}?__proto__=1`)
  expect(response.status).toBe(400)
  expect(response.body.error.message).toMatch(/^__proto__: unknown field/)
})

test('a trigger refuses __proto__ as a field of its event', async () => {
  const { call } = await openSandbox()
  const body = '{"event":"payment.succeeded","set":{"__proto__":"x"}}'
  expect((await call('POST', '/_psp/trigger', body)).body.error.message).toMatch(/^set\.__proto__: unknown field/)
})

test('a seed refuses __proto__ at each level', () => {
  const seeds = [
    '{"__proto__":[]}',
    '{"rules":[{"plan":"failed","match":{},"__proto__":1}]}',
    '{"shops":[{"__proto__":1}]}',
    '{"payments":[{"amount":1,"__proto__":1}]}',
  ]
  for (const seed of seeds) expect(() => readSeed(JSON.parse(seed)), seed).toThrow('__proto__')
})

test('a scenario refuses __proto__ in itself, in a step and in the fields of a step', () => {
  const step = '"do":"payments.create"'
  const scenarios = [
    `{"name":"x","__proto__":1,"steps":[{${step}}]}`,
    `{"name":"x","steps":[{${step},"__proto__":1}]}`,
    `{"name":"x","steps":[{${step},"with":{"__proto__":"x"}}]}`,
  ]
  for (const scenario of scenarios) expect(() => parseScenario(JSON.parse(scenario)), scenario).toThrow('__proto__')
})

test('metadata may have the name __proto__', async () => {
  const { call, get } = await openSandbox()
  const body = '{"event":"payment.succeeded","set":{"metadata":{"__proto__":"x"}}}'
  const made = await call('POST', '/_psp/trigger', body)
  expect(made.status).toBe(201)
  const { tables } = (await get('/export?tables=payments')).body
  expect(Object.entries(tables.payments[0].metadata)).toContainEqual(['__proto__', 'x'])
})
