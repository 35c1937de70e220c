import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createSpillFile } from '../../../src/cli/local/spill-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'psp-temp-file-test-'))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(process.platform === 'win32')('a temporary file has no name while it is open', () => {
  vi.stubEnv('TMPDIR', folder)
  const file = createSpillFile(process.pid)
  expect(existsSync(folder)).toBe(true)
  expect(readdirSync(folder)).toEqual([])
  const large = Buffer.alloc(2 ** 20, 'x')
  expect([file.append(Buffer.from('ab')), file.append(large), file.append(Buffer.from('cd'))]).toEqual([
    0,
    2,
    2 + large.length,
  ])
  expect(file.read(2 + large.length, 2).toString()).toBe('cd')
  expect(file.read(0, 3).toString()).toBe('abx')
  expect(file.append(Buffer.from('e'))).toBe(4 + large.length)
  expect(file.read(3 + large.length, 2).toString()).toBe('de')
  expect(() => file.read(4 + large.length, 2)).toThrow(RangeError)
  file.close()
})

test.skipIf(process.platform === 'win32')('a temporary directory that cannot be used is an error with a hint', () => {
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  expect(() => createSpillFile(process.pid)).toThrow('The temporary directory cannot be used.')
})
