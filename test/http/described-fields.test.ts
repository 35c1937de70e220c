// Who generates a client from a document reads its fields there: each says what it is.
import { expect, test } from 'vitest'
import { controlDocument } from '../../src/http/control/document.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { publicDocument } from '../../src/http/openapi/public-document.ts'

interface Schema {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: { readonly [name: string]: Schema }
}

/** Paths of the properties below `value` that nothing, or not the unit, is said of. Where one is a reference, what it names must say it. */
function undescribed(value: unknown, path: string, document: Schema): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = isSchema(value)
    ? Object.entries(value.properties).filter(([name, each]) => !tells(name, sayingOf(each, document)))
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

const tells = (name: string, saying: string) => saying !== '' && (UNITS[name]?.test(saying) ?? true)

function sayingOf({ description, $ref }: Schema, document: Schema): string {
  if (description !== undefined || $ref === undefined) return description ?? ''
  const named = $ref
    .split('/')
    .slice(1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document)
  return (named as Schema).description ?? ''
}

test.each([
  ['public', publicDocument()],
  ['control', controlDocument(CONTROL_ROUTES)],
])('no property of the %s document is without a description', (_, document) => {
  expect(undescribed(document, '', document as Schema)).toEqual([])
})
