// What a reader of the control API's reference looks up: every field of a body and of a query has words.
import { expect, test } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { controlApiPage } from './control-api-page.ts'
import { type Document, operationsOf } from './document-parts.ts'
import type { Schema } from './schema-tables.ts'

const DOCUMENT = controlDocument(CONTROL_ROUTES) as Document

test('every field of a body and of a query', () => {
  const silent = operationsOf(DOCUMENT).flatMap(([heading, { parameters = [], requestBody }]) => [
    ...parameters.filter(({ description = '' }) => description === '').map(({ name }) => `${heading} ?${name}`),
    ...silentFields(requestBody?.content['application/json']?.schema ?? {}, heading),
  ])
  expect(silent).toEqual([])
})

/** The one value that tells a body from others needs no words, and what is refused has none. */
function silentFields(schema: Schema, place: string): string[] {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  const fields = Object.entries(schema.properties ?? {})
  const silent = fields.filter(
    ([, field]) => field.description === undefined && field.const === undefined && field.not === undefined,
  )
  return [
    ...silent.map(([name]) => `${place} ${name}`),
    ...variants.flatMap((variant) => silentFields(variant, place)),
    ...fields.flatMap(([name, field]) => silentFields(field.items ?? field, `${place} ${name}`)),
  ]
}

test.each([
  ['POST /_psp/payments/:id/act', '| Body (`action` `decline`) |'],
  ['POST /_psp/clock', '| Body (`mode` `scaled`) |'],
  ['POST /_psp/shops/:id/endpoints', "signs with the shop's `webhook_secret`"],
  ['POST /_psp/shops', '| `endpoints[].own_secret` |'],
])('%s shows its body', (heading, told) => {
  const part = controlApiPage()
    .split('\n## ')
    .find((one) => one.startsWith(`${heading}\n`))
  expect(part).toContain(told)
})
