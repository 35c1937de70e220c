import { expect, test } from 'vitest'
import * as z from 'zod'
import { parseConfigFile } from '../../../src/cli/config/config-file.ts'
import { CONFIG_KEYS, CONFIG_NAMES } from '../../../src/cli/config/config-keys.ts'
import { SETTING_NAMES, SETTINGS } from '../../../src/settings.ts'

const TYPES = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  switch: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' } },
} as const

/** `npm run docs` writes the schema, which editors use. */
test('the shipped schema of psp.config.json names every key and setting', async () => {
  await expect(`${JSON.stringify(schema(), null, 2)}\n`).toMatchFileSnapshot('../../../fixtures/psp.config.schema.json')
})

test('psp.config.json may name its schema', () => {
  expect(parseConfigFile('{"$schema": "./node_modules/psp-sandbox/fixtures/psp.config.schema.json"}').values.size).toBe(
    0,
  )
})

function schema() {
  const keys = CONFIG_NAMES.map((name) => {
    const { kind, description, fallback } = CONFIG_KEYS[name]
    return [name, { ...TYPES[kind], description, ...(fallback === undefined ? {} : { default: fallback }) }]
  })
  const settings = SETTING_NAMES.map((name) => {
    const { schema: shape, description, default: fallback } = SETTINGS[name]
    const { $schema, ...form } = z.toJSONSchema(shape, { io: 'input' })
    return [name, { ...form, description, default: fallback }]
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'psp.config.json',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(keys),
      settings: { type: 'object', additionalProperties: false, properties: Object.fromEntries(settings) },
    },
  }
}
