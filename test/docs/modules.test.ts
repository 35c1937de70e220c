// docs/reference/modules.md describes every export of the package.
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { exportsOf } from './module-exports.ts'
import { MODULES } from './modules-page.ts'

test('the page lists every module of the package', () => {
  const names = Object.keys(manifest.exports).map((path) => path.replace('.', 'psp-sandbox'))
  expect(MODULES.map(({ name }) => name).sort()).toEqual(names.filter((name) => !name.endsWith('.json')).sort())
})

describe.each(MODULES)('$name', ({ name, entry }) => {
  const all = exportsOf(entry)

  test('the page lists exactly the exported values', async () => {
    const module = await import(new URL(`../../${entry}`, import.meta.url).href)
    const values = all.filter(({ kind }) => kind !== 'type').map((one) => one.name)
    expect(values.sort()).toEqual(Object.keys(module).sort())
  })

  test('each export has a description', () => {
    expect(all.filter(({ about }) => about === '').map((one) => one.name)).toEqual([])
  })

  test('each option has a description', () => {
    const options = all.filter((one) => /(Options|Input|ToSign|Wishes)$/.test(one.name))
    const undescribed = options.flatMap((one) =>
      one.fields.filter(({ about }) => about === '').map((field) => `${one.name}.${field.name}`),
    )
    expect([name, undescribed]).toEqual([name, []])
  })
})
