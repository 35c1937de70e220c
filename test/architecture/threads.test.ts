import { expect, test } from 'vitest'
import { sources } from './source.ts'

/** Of the project `code`: it runs in threads, where a program that is waited for synchronously may never be told of. */
const inThreads = sources('test').filter(
  ({ path }) => /\.tsx?$/.test(path) && !/^test\/(e2e|browser|architecture)\//.test(path),
)

function synchronous(text: string): readonly string[] {
  return text.match(/\b(?:exec|execFile|spawn|execa|build)Sync\b/g) ?? []
}

test('tests in threads wait for programs as for anything else', () => {
  expect(inThreads.length).toBeGreaterThan(200)
  expect(inThreads.flatMap(({ path, text }) => synchronous(text).map((name) => `${path}: ${name}`))).toEqual([])
})

test.each(["spawnSync('x')", "import { execFileSync } from 'node:child_process'", 'buildSync({})'])(
  'the check sees %s',
  (text) => expect(synchronous(text)).toHaveLength(1),
)
