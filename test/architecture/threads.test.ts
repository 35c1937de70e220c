import { expect, test } from 'vitest'
import { sources } from './source.ts'

/** Tests of the project `code` run in threads. There, a synchronous wait for a program may never end. */
const inThreads = sources('test').filter(
  ({ path }) => /\.tsx?$/.test(path) && !/^test\/(e2e|binary|browser|architecture)\//.test(path),
)

function synchronous(text: string): readonly string[] {
  return text.match(/\b(?:exec|execFile|spawn|execa|build)Sync\b/g) ?? []
}

test('tests that run in threads do not wait synchronously for programs', () => {
  expect(inThreads.length).toBeGreaterThan(200)
  expect(inThreads.flatMap(({ path, text }) => synchronous(text).map((name) => `${path}: ${name}`))).toEqual([])
})

test.each(["spawnSync('x')", "import { execFileSync } from 'node:child_process'", 'buildSync({})'])(
  'the check of synchronous waits finds %s',
  (text) => expect(synchronous(text)).toHaveLength(1),
)
