import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { nodeFileSystem } from '../../../src/store/folder/file-system.ts'

const base = mkdtempSync(join(tmpdir(), 'psp-folder-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('`makeFolder` creates missing parents with access for the owner only, and accepts an existing directory', () => {
  const path = join(base, 'a', 'b', 'c')
  nodeFileSystem.makeFolder(path)
  nodeFileSystem.makeFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('`makeFolder` fails if a part of the path is a file', () => {
  writeFileSync(join(base, 'file'), '')
  expect(() => nodeFileSystem.makeFolder(join(base, 'file'))).toThrow(/EEXIST/)
  expect(() => nodeFileSystem.makeFolder(join(base, 'file', 'x'))).toThrow(/ENOTDIR/)
})

test.runIf(existsSync('/proc/self'))('`makeFolder` fails if the parent rejects new directories', () => {
  expect(() => nodeFileSystem.makeFolder('/proc/x/y')).toThrow(/ENOENT/)
})
