import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path, { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readSmallFile, requireOtherFile } from '../../../src/cli/input/files.ts'
import { readReadyFile } from '../../../src/cli/local/ready-file.ts'
import { createTestDir, psp } from '../helpers.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

function folder(): string {
  const dir = createTestDir()
  cleanups.push(dir.remove)
  return dir.path
}

function fileOf(path: string, size: number): string {
  writeFileSync(path, '{"type":"ready","url":"http://localhost"}')
  truncateSync(path, size)
  return path
}

test('a file that should be small is not read if it is longer than 1 MiB, a pipe or a device', () => {
  const path = folder()
  expect(() => readSmallFile(fileOf(join(path, 'a'), 1024 * 1024 + 1))).toThrow('it is longer than 1 MiB')
  expect(readSmallFile(fileOf(join(path, 'b'), 1024 * 1024))).toHaveLength(1024 * 1024)
  expect(() => readSmallFile('/dev/zero')).toThrow('it is a pipe or a device')
  mkdirSync(join(path, 'c'))
  expect(() => readSmallFile(join(path, 'c'))).toThrow('EISDIR')
  expect(readReadyFile(join(path, 'a'))).toBeUndefined()
})

test.each([
  ['the target of a dangling link', 'a.xml', 'link.xml'],
  ['the target of a chain of dangling links', 'chain.xml', 'a.xml'],
  ['a missing file in a linked folder', 'linked/new.xml', 'real/new.xml'],
  ['a missing file behind a dangling link in a linked folder', 'linked/up.xml', 'a.xml'],
  ['a link through the parent of a linked folder', 'around.xml', 'deep/a.xml'],
  ['a loop of links that the other name also gives', 'loop.xml', './loop.xml'],
])('an output file is refused if it is %s that the command also uses', (_, one, other) => {
  const cwd = folder()
  mkdirSync(join(cwd, 'real'))
  mkdirSync(join(cwd, 'deep/er'), { recursive: true })
  for (const [target, name] of [
    ['a.xml', 'link.xml'],
    ['link.xml', 'chain.xml'],
    ['real', 'linked'],
    ['../a.xml', 'real/up.xml'],
    ['deep/er', 'near'],
    ['near/../a.xml', 'around.xml'],
    ['loop.xml', 'loop.xml'],
  ] as const)
    symlinkSync(target, join(cwd, name))
  const host = { cwd, paths: path }
  for (const [file, used] of [
    [one, other],
    [other, one],
  ] as const) {
    expect(() => requireOtherFile('--junit', file, [used], host)).toThrow(
      `--junit names ${used}, which this command also uses.`,
    )
  }
  requireOtherFile('--junit', one, ['b.xml', 'real/a.xml', 'real/other.xml'], host)
})

test('`psp trigger` refuses a file that is longer than 16 MiB', async () => {
  const cwd = folder()
  fileOf(join(cwd, 'a.json'), 17 * 1024 * 1024)
  const { code, stderr } = await psp('trigger a.json', { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining('a.json is longer than 16 MiB.')])
})
