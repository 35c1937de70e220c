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

test('the check accepts that the data of a command loads its work, which has the types of the data', () => {
  const work = { path: 'src/cli/commands/a/run.ts', text: "import type { FLAGS } from '../a.ts'" }
  const data = (text: string, path = 'src/cli/commands/a.ts') => [{ path, text }, work]
  expect(cycles(data("const load = () => import('./a/run.ts')"))).toEqual([])
  expect(cycles(data("import { run } from './a/run.ts'"))).toHaveLength(1)
  const other = { path: 'src/cli/commands/b/run.ts', text: "import type { FLAGS } from '../a.ts'" }
  expect(cycles([...data("const load = () => import('./b/run.ts')"), other])).toHaveLength(1)
})
