// What a schema says of itself never reaches a caller: every route speaks in the words of this program.

import { expect, test } from 'vitest'
import * as z from 'zod'
import { CONTROL_ROUTES } from '../../../src/http/control/routes.ts'
import { openSandbox } from '../fixtures.ts'

const FOREIGN = /Invalid|Unrecognized|Too (big|small)|undefined|expected expected|\bNaN\b/

const VALUES = [null, [], {}, 'x', '', -1, 1.5, 1e99, true, [null], [[]], [{}], { x: null }, { __proto__x: 1 }]

/** Each field of a body on its own, wrong in every way; those of a union are asked for under each of its forms. */
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

test.each(bodied)('$method $path refuses wrong bodies in own words', async ({ method, path, schema }) => {
  const { call, shop } = await openSandbox()
  for (const body of wrongBodies(schema)) {
    const { status, body: answer } = await call(method, `/_psp${path.replace(':id', shop)}`, JSON.stringify(body))
    if (status < 400) continue
    expect(answer.error.message, JSON.stringify(body)).not.toMatch(FOREIGN)
  }
})

test.each(bodied)('$method $path says of a body that is no object what it should be', async ({ method, path }) => {
  const { call, shop } = await openSandbox()
  for (const [body, what] of [
    ['[]', 'an array'],
    ['null', 'null'],
    ['7', '7'],
  ] as const) {
    const answer = await call(method, `/_psp${path.replace(':id', shop)}`, body)
    expect(answer.body.error).toEqual({
      code: 'bad_request',
      message: `body: expected a JSON object, got ${what}.`,
    })
  }
})

test('a table of an import is refused in own words', async () => {
  const { put, get } = await openSandbox()
  const { body: state } = await get('/export')
  for (const table of Object.keys(state.tables)) {
    for (const row of VALUES) {
      const { status, body } = await put('/import', { ...state, tables: { ...state.tables, [table]: [row] } })
      expect(status).toBe(400)
      expect(body.error.message).not.toMatch(FOREIGN)
    }
  }
})
