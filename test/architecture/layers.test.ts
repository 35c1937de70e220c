import { describe, expect, test } from 'vitest'
import { layerFaults } from './layers.ts'
import { MODULES } from './modules.ts'
import { sources } from './source.ts'

test('imports point down only', () => {
  expect(layerFaults(sources('src'))).toEqual([])
})

test('the table of modules points down only', () => {
  const up = Object.entries(MODULES).flatMap(([name, module]) =>
    module.imports.filter((to) => (MODULES[to]?.layer ?? Infinity) > module.layer).map((to) => `${name} -> ${to}`),
  )
  expect(up).toEqual([])
})

describe('the check of layers', () => {
  const seen = (path: string, text: string) => layerFaults([{ path, text }])

  test.each([
    ['src/domain/a.ts', "\nimport type { B } from '../engine/b.ts'", 'src/domain/a.ts:2'],
    ['src/settings.ts', "export { b } from './engine/b.ts'", 'domain may not import from engine'],
    ['src/engine/a.ts', "export type * from '../time/b.ts'", 'engine may not import from time'],
    ['src/store/a.ts', "type T = import('../time/b.ts').T", 'store may not import from time'],
    ['src/cli/a.ts', "await import('../engine/b.ts')", 'cli may not import from engine'],
    ['src/client/a.ts', "import type { B } from '../http/b.ts'", 'client may not import from http'],
    ['src/http/a.ts', "import '../../test/b.ts'", 'in no module'],
    ['src/misc/a.ts', '', 'src/misc/a.ts:1 is in no module'],
  ])('finds the fault in %s: %s', (path, text, fault) => {
    expect(seen(path, text)).toEqual([expect.stringContaining(fault)])
  })

  test('the check of layers accepts correct imports', () => {
    expect(seen('src/client/a.ts', "import type { B } from '../domain/b.ts'\nimport './c.ts'\nimport 'zod'")).toEqual(
      [],
    )
    expect(seen('src/domain/a.ts', "import banks from '../../fixtures/b.json' with { type: 'json' }")).toEqual([])
  })
})
