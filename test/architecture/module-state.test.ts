import { expect, test } from 'vitest'
import { MODULE_STATE, moduleState } from './module-state.ts'
import { sources } from './source.ts'

test('only the listed variables keep state in a module', () => {
  const found = moduleState(sources('src')).map(({ path, name }) => `${path} ${name}`)
  expect(found.sort()).toEqual(MODULE_STATE.map(({ path, name }) => `${path} ${name}`).sort())
})

test.each([
  ['let last: string | undefined', true],
  ['export let last = 0', true],
  ['const kept = new Map<string, string>()', true],
  ['const kept = new WeakMap<object, string>()', true],
  ['const rows: Row[] = []', true],
  ['const byName: Record<string, Row> = {}', true],
  ['const scratch = new GrowingBuffer(1)', true],
  ['const NONE: Shown = {}', false],
  ['const NONE: readonly Row[] = []', false],
  ['const TABLE: ReadonlyMap<string, number> = new Map([["a", 1]])', false],
  ['const LIST = ["a"] as const', false],
  ['function f() { let n = 0; return n }', false],
])('the check of module state judges: %s', (text, is) => {
  expect(moduleState([{ path: 'src/engine/x.ts', text }])).toHaveLength(is ? 1 : 0)
})
