import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nodeFileSystem } from '../../../src/store/folder/file-system.ts'

const base = mkdtempSync(join(tmpdir(), 'psp-folder-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

it('makes a folder with its parents, for the owner alone, and leaves one that is there', () => {
  const path = join(base, 'a', 'b', 'c')
  nodeFileSystem.makeFolder(path)
  nodeFileSystem.makeFolder(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

it('refuses a path through a file', () => {
  writeFileSync(join(base, 'file'), '')
  expect(() => nodeFileSystem.makeFolder(join(base, 'file'))).toThrow(/EEXIST/)
  expect(() => nodeFileSystem.makeFolder(join(base, 'file', 'x'))).toThrow(/ENOTDIR/)
})

it.runIf(existsSync('/proc/self'))('ends where the parent takes no folder', () => {
  expect(() => nodeFileSystem.makeFolder('/proc/x/y')).toThrow(/ENOENT/)
})
