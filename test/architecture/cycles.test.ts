import { expect, test } from 'vitest'
import { cycles } from './cycles.ts'
import { sources } from './source.ts'

test('no file imports itself, directly or through others', () => {
  expect(cycles(sources('src'))).toEqual([])
})

test('the check finds a cycle of type imports', () => {
  const files = [
    { path: 'src/a.ts', text: "import { b } from './b.ts'" },
    { path: 'src/b.ts', text: "\nexport type { C } from './c.ts'" },
    { path: 'src/c.ts', text: "import type { A } from './a.ts'\nimport './d.ts'" },
    { path: 'src/d.ts', text: '' },
  ]
  expect(cycles(files)).toEqual(['src/a.ts:1 -> src/b.ts:2 -> src/c.ts:1 -> src/a.ts'])
})
