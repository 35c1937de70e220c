// `psp.config.json` as a file: its size, and what is not a file.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readBrokenConfigFile, readConfigFile } from '../../../src/cli/config/config-file.ts'
import { createTestDir } from '../helpers.ts'
import { issueOf } from '../issue-of.ts'

const MIB = 1024 * 1024

let folder: ReturnType<typeof createTestDir>
let path: string
beforeEach(() => {
  folder = createTestDir()
  path = join(folder.path, 'psp.config.json')
})
afterEach(() => folder.remove())

test('a missing file counts as empty', () => {
  expect(readConfigFile(path)).toEqual({ values: new Map(), settings: {} })
})

test('a file of 1 MiB is accepted, and a longer one is not', () => {
  const longest = '{"port": 7771}'.padEnd(MIB)
  writeFileSync(path, longest)
  expect(readConfigFile(path).values).toEqual(new Map([['port', 7771]]))
  writeFileSync(path, `${longest} `)
  expect(issueOf(() => readConfigFile(path))).toEqual([
    'psp.config.json cannot be read: it is longer than 1 MiB.',
    'Make it a readable file, or remove it.',
  ])
})

test('a directory with the name of the file is an error', () => {
  mkdirSync(path)
  expect(issueOf(() => readConfigFile(path))).toEqual([
    'psp.config.json cannot be read: it is a folder.',
    'Make it a readable file, or remove it.',
  ])
})

test.skipIf(process.platform === 'win32')('a device with the name of the file is an error', () => {
  symlinkSync('/dev/null', path)
  expect(issueOf(() => readConfigFile(path))).toEqual([
    'psp.config.json cannot be read: it is a pipe or a device.',
    'Make it a readable file, or remove it.',
  ])
})

test('a broken file counts as empty, with its issue', () => {
  writeFileSync(path, '[]')
  expect(readBrokenConfigFile(path)).toMatchObject({
    values: new Map(),
    settings: {},
    issue: { message: 'psp.config.json does not contain an object.', hint: 'Write it as {"port": 7770}.' },
  })
  writeFileSync(path, '{"port": 7771}')
  expect(readBrokenConfigFile(path)).toEqual({ values: new Map([['port', 7771]]), settings: {} })
})
