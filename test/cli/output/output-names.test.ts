// The names of files and directories that commands write: a bad one is explained before any work, and `-` never becomes a file.
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createTestDir, psp } from '../helpers.ts'

const folder = createTestDir()
const names = ['dangling', 'file', 'loop', 'pool', 'recorded.har']
beforeAll(() => {
  symlinkSync('pool', join(folder.path, 'loop'))
  symlinkSync('loop', join(folder.path, 'pool'))
  symlinkSync('missing', join(folder.path, 'dangling'))
  writeFileSync(join(folder.path, 'file'), '')
  writeFileSync(join(folder.path, 'recorded.har'), '{"log":{"entries":[]}}')
})
afterAll(() => folder.remove())

const run = async (...argv: string[]) => {
  const { code, stderr } = await psp(argv, { cwd: folder.path })
  expect(readdirSync(folder.path).filter((name) => name !== '.psp')).toEqual(names)
  return [code, stderr]
}

const AUDIT = ['audit', '127.0.0.1:1/hooks']
const RECORD = ['record', '--to', 'http://127.0.0.1:1', '--port', '0', '--out']
const COMPARE = ['compare', 'recorded.har', '--junit']
const SERVE = ['serve', '--ephemeral', '--port', '0', '--ready-file']
const EXEC = ['exec', '--report']

const FILES: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['store export', ['store', 'export']],
  ['openapi --out', ['openapi', '--out']],
  ['record --out', RECORD],
  ['compare --junit', COMPARE],
  ['audit --junit', [...AUDIT, '--junit']],
  ['audit --html', [...AUDIT, '--html']],
  ['serve --ready-file', SERVE],
]
const DIRECTORIES: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['audit --explore --save', [...AUDIT, '--explore', '1s', '--save']],
  ['exec --report', EXEC],
]

describe.each([...FILES, ...DIRECTORIES])('`psp %s`', (_, argv) => {
  const rest = argv === EXEC ? ['--', 'true'] : []

  test.each([
    ['through a loop of links', 'loop', 'its links form a loop'],
    ['through a file', 'file/below', 'a part of its path is a file, not a folder'],
  ])('explains a path %s', async (_, name, reason) => {
    // An export needs a data directory.
    if (argv[0] === 'store') {
      await run('payments', 'create', '--amount', '100')
      onTestFinished(() => rmSync(join(folder.path, '.psp'), { recursive: true }))
    }
    const expected = `error ${name} cannot be written: ${reason}.\nName another file.\n`
    expect(await run(...argv, name, ...rest)).toEqual([1, expect.stringContaining(expected)])
  })
})

test.each(DIRECTORIES)('`psp %s` explains a dangling link', async (_, argv) => {
  const reason = 'dangling cannot be written: a file or a dangling link has this name.'
  const rest = argv === EXEC ? ['--', 'true'] : []
  expect(await run(...argv, 'dangling', ...rest)).toEqual([1, expect.stringContaining(reason)])
})

test('`psp audit --save` refuses the name of a file', async () => {
  const argv = [...AUDIT, '--explore', '1s', '--save', 'recorded.har']
  expect(await run(...argv)).toEqual([
    2,
    expect.stringContaining('--save needs a directory, and recorded.har is not one.'),
  ])
})

test.each([
  ['--out', 'Name a file: --out session.har', [...RECORD, '-']],
  ['--junit', 'Name a file: --junit compare.xml', [...COMPARE, '-']],
  ['--junit', 'Name a file: --junit audit.xml', [...AUDIT, '--junit', '-']],
  ['--html', 'Name a file: --html audit.html', [...AUDIT, '--html', '-']],
  ['--save', 'Name a new or existing directory with --save.', [...AUDIT, '--explore', '1s', '--save', '-']],
  ['--report', 'Name a new or existing directory with --report.', [...EXEC, '-', '--', 'true']],
  ['--ready-file', '`psp serve --json` prints the same data on stdout.', [...SERVE, '-']],
])('`%s -` is refused with the hint "%s"', async (flag, hint, argv) => {
  const [code, stderr] = await run(...argv)
  expect(code).toBe(2)
  expect(stderr).toContain(`error ${flag} cannot be -, because it cannot write to stdout.`)
  expect(stderr).toContain(hint)
})

test('a data directory through a loop of links is explained', async () => {
  const [code, stderr] = await run('payments', 'list', '--data', 'loop')
  expect([code, stderr]).toEqual([1, expect.stringContaining('the links of the path form a loop: choose another data')])
  expect(existsSync(join(folder.path, '.psp'))).toBe(false)
})
