import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Finding } from '../../src/explore/finding.ts'
import { saveFinding } from '../../src/explore/save-finding.ts'
import { nodeFileSystem } from '../../src/store/folder/file-system.ts'
import { createTestDir } from '../cli/helpers.ts'

let folder: ReturnType<typeof createTestDir>
beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

const finding = (title: string): Finding => ({
  id: 'truth',
  cause: 'truth',
  title,
  got: '',
  expected: '',
  why: '',
  fix: '',
  deliveries: 1,
  steps: 2,
  rate: { failed: 1, of: 1 },
  shrunk: true,
  repeated: false,
  rows: [],
  case: {
    story: {
      amounts: { main: 1000, unrelated: 1000 },
      steps: [
        { do: 'create', payment: 'p1', order: 'main' },
        { do: 'pay', payment: 'p1' },
      ],
    },
    schedule: [[{ event: 'pay p1', copies: 1 }]],
    resendsAll: false,
  },
})

test('a finding gets the first name that no earlier file has', () => {
  expect(saveFinding(folder.path, finding('one'))).toBe('1.json')
  writeFileSync(join(folder.path, '2.json'), 'notes')
  mkdirSync(join(folder.path, '3.json'))
  expect(saveFinding(folder.path, finding('another'))).toBe('4.json')
  expect(readFileSync(join(folder.path, '2.json'), 'utf8')).toBe('notes')
  expect(readFileSync(join(folder.path, '1.json'), 'utf8')).toContain('truth: one')
})

test('a finding that an earlier search wrote is not written again', () => {
  saveFinding(folder.path, finding('one'))
  saveFinding(folder.path, finding('another'))
  expect(saveFinding(folder.path, finding('another'))).toBe('2.json')
  expect(readdirSync(folder.path)).toEqual(['1.json', '2.json'])
})

test.each(['ENOSPC', 'EIO'])('a finding that cannot be written (%s) leaves no file behind', (code) => {
  const failing = {
    ...nodeFileSystem,
    write(): never {
      throw Object.assign(new Error(code), { code })
    },
  }
  expect(() => saveFinding(folder.path, finding('one'), failing)).toThrow(code)
  expect(readdirSync(folder.path)).toEqual([])
  expect(saveFinding(folder.path, finding('one'))).toBe('1.json')
})

test('a finding is saved on a disk without hard links, and keeps the files of earlier searches', () => {
  const withoutLinks = {
    ...nodeFileSystem,
    link(): never {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' })
    },
  }
  writeFileSync(join(folder.path, '1.json'), 'notes')
  expect(saveFinding(folder.path, finding('one'), withoutLinks)).toBe('2.json')
  expect(readFileSync(join(folder.path, '1.json'), 'utf8')).toBe('notes')
  expect(readdirSync(folder.path)).toEqual(['1.json', '2.json'])
})
