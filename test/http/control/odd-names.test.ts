// `__proto__` is a name like any other: unknown where names are known, kept where they are free.
import { expect, test } from 'vitest'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import { readSeed } from '../../../src/sandbox.ts'
import { parseScenario } from '../../../src/scenarios/scenario.ts'
import { openSandbox } from '../fixtures.ts'

const BESIDE: { readonly [path: string]: string } = {
  '/trigger': '"event":"payment.succeeded",',
  '/import': '"format":"psp-sandbox/1","tables":{},',
}

const bodied = CONTROL_ROUTES.filter(({ body, path }) => body !== undefined && path !== '/import')

test.each(bodied)('$method $path refuses it as an unknown field', async ({ method, path }) => {
  const { call, shop } = await openSandbox()
  const { status, body } = await call(
    method,
    `/_psp${path.replace(':id', shop)}`,
    `{${BESIDE[path] ?? ''}"__proto__":{"x":1}}`,
  )
  expect(status).toBe(400)
  if (path !== '/clock' && !path.endsWith('/act')) expect(body.error.message).toContain('__proto__')
})

test.each([
  ['/rules', '"plan":"failed"'],
  ['/faults', '"target":"api","fault":"reset"'],
])('POST %s refuses it as a field to match on', async (path, fields) => {
  const { call, get } = await openSandbox()
  const { status, body } = await call('POST', `/_psp${path}`, `{"match":{"__proto__":"x"},${fields}}`)
  expect(status).toBe(400)
  expect(body.error.message).toMatch(/^match\.__proto__: unknown field\. The fields are /)
  expect((await get(path)).body.items).toEqual([])
})

const asked = CONTROL_ROUTES.filter(({ query, responses }) => query && !Object.values(responses).includes('stream'))

test.each(asked)('$method $path refuses it in the query', async ({ method, path }) => {
  const { call, shop } = await openSandbox()
  const answer = await call(method, `/_psp${path.replace(':id', shop)}?__proto__=1`)
  expect(answer.status).toBe(400)
  expect(answer.body.error.message).toMatch(/^__proto__: unknown field/)
})

test('as a field of an event to trigger', async () => {
  const { call } = await openSandbox()
  const body = '{"event":"payment.succeeded","set":{"__proto__":"x"}}'
  expect((await call('POST', '/_psp/trigger', body)).body.error.message).toMatch(/^set\.__proto__: unknown field/)
})

test('in a seed, wherever it stands', () => {
  const seeds = [
    '{"__proto__":[]}',
    '{"rules":[{"plan":"failed","match":{},"__proto__":1}]}',
    '{"shops":[{"__proto__":1}]}',
    '{"payments":[{"amount":1,"__proto__":1}]}',
  ]
  for (const seed of seeds) expect(() => readSeed(JSON.parse(seed)), seed).toThrow('__proto__')
})

test('in a scenario: as a field of it, of a step, and of what a step is given', () => {
  const step = '"do":"payments.create"'
  const scenarios = [
    `{"name":"x","__proto__":1,"steps":[{${step}}]}`,
    `{"name":"x","steps":[{${step},"__proto__":1}]}`,
    `{"name":"x","steps":[{${step},"with":{"__proto__":"x"}}]}`,
  ]
  for (const scenario of scenarios) expect(() => parseScenario(JSON.parse(scenario)), scenario).toThrow('__proto__')
})

test('in metadata it is kept', async () => {
  const { call, get } = await openSandbox()
  const body = '{"event":"payment.succeeded","set":{"metadata":{"__proto__":"x"}}}'
  const made = await call('POST', '/_psp/trigger', body)
  expect(made.status).toBe(201)
  const { tables } = (await get('/export?tables=payments')).body
  expect(Object.entries(tables.payments[0].metadata)).toContainEqual(['__proto__', 'x'])
})
