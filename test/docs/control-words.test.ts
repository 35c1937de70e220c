// Every field of a body and of a query in the control API has a description.
import { expect, test } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { controlApiPage } from './control-api-page.ts'
import { type Document, operationsOf } from './document-parts.ts'
import type { Schema } from './schema-tables.ts'

const DOCUMENT = controlDocument(CONTROL_ROUTES) as Document

test('every field of a body and of a query has a description', () => {
  const undescribed = operationsOf(DOCUMENT).flatMap(([heading, { parameters = [], requestBody }]) => [
    ...parameters.filter(({ description = '' }) => description === '').map(({ name }) => `${heading} ?${name}`),
    ...undescribedFields(requestBody?.content['application/json']?.schema ?? {}, heading),
  ])
  expect(undescribed).toEqual([])
})

/** A discriminator with one value needs no description, and neither does a forbidden field. */
function undescribedFields(schema: Schema, place: string): string[] {
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]
  const fields = Object.entries(schema.properties ?? {})
  const undescribed = fields.filter(
    ([, field]) => field.description === undefined && field.const === undefined && field.not === undefined,
  )
  return [
    ...undescribed.map(([name]) => `${place} ${name}`),
    ...variants.flatMap((variant) => undescribedFields(variant, place)),
    ...fields.flatMap(([name, field]) => undescribedFields(field.items ?? field, `${place} ${name}`)),
  ]
}

test.each([
  ['POST /_psp/payments/:id/act', '| Body (`action` `decline`) |'],
  ['POST /_psp/clock', '| Body (`mode` `scaled`) |'],
  ['POST /_psp/shops/:id/endpoints', "the shop's `webhook_secret` signs the webhooks"],
  ['POST /_psp/shops', '| `endpoints[].own_secret` |'],
])('the page of the control API shows the body of %s', (heading, text) => {
  const part = controlApiPage()
    .split('\n## ')
    .find((one) => one.startsWith(`${heading}\n`))
  expect(part).toContain(text)
})
