// Commands replace an existing file only if psp wrote it and can write it again, or with --force.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, psp } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>
let handler: string
let asked = 0
const server = createServer((_, response) => {
  asked++
  response.end()
})

beforeEach(async () => {
  folder = createTestDir()
  // An export needs a data directory.
  mkdirSync(join(folder.path, '.psp'))
  asked = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  handler = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  folder.remove()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const run = (...argv: string[]) => psp(argv, { cwd: folder.path })
const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text)

const COMMANDS: readonly (readonly [name: string, line: (file: string) => string[]])[] = [
  ['store export', (file) => ['store', 'export', file]],
  ['openapi --out', (file) => ['openapi', '--out', file]],
  ['openapi --control --out', (file) => ['openapi', '--control', '--out', file]],
  ['audit --junit', (file) => ['audit', handler, '--only', 'valid', '--junit', file]],
  ['audit --html', (file) => ['audit', handler, '--only', 'valid', '--html', file]],
]

describe.each(COMMANDS)('psp %s', (_, line) => {
  test('a command refuses to replace a file of another program, and changes nothing', async () => {
    write('package.json', '{"name":"shop"}')
    const ran = await run(...line('package.json'))
    expect([ran.code, ran.stdout, read('package.json')]).toEqual([2, '', '{"name":"shop"}'])
    expect(ran.stderr).toMatch(/package\.json already exists.*\n.*Name another file, or add --force to replace it\./)
    expect(asked).toBe(0)
  })

  test('a command refuses a symbolic link to a file of another program', async () => {
    write('package.json', '{"name":"shop"}')
    symlinkSync('package.json', join(folder.path, 'link'))
    expect((await run(...line('link'))).code).toBe(2)
    expect(read('package.json')).toBe('{"name":"shop"}')
  })

  test('a command replaces the file with --force', async () => {
    write('package.json', '{"name":"shop"}')
    expect((await run(...line('package.json'), '--force')).code).toBe(0)
    expect(read('package.json')).not.toContain('"name":"shop"')
  })

  test('a command writes to an empty file, such as a file that mktemp created', async () => {
    write('empty', '')
    expect((await run(...line('empty'))).code).toBe(0)
    expect(read('empty')).not.toBe('')
  })
})

test('`psp store export` refuses to replace an older export', async () => {
  expect((await run('store', 'export', 'state.json')).code).toBe(0)
  const before = read('state.json')
  const ran = await run('store', 'export', 'state.json')
  expect([ran.code, read('state.json')]).toEqual([2, before])
})

test.each(COMMANDS.slice(1))('`psp %s` replaces what an earlier run wrote', async (_, line) => {
  expect((await run(...line('file'))).code).toBe(0)
  expect((await run(...line('file'))).code).toBe(0)
})

test('`psp exec --report` refuses a folder in which another program wrote a file of the same name', async () => {
  mkdirSync(join(folder.path, 'app'))
  write('app/export.json', '{"mine":true}')
  const line = ['exec', '--report', 'app', '--', process.execPath, '-e', '0']
  const ran = await run(...line)
  expect([ran.code, read('app/export.json')]).toEqual([2, '{"mine":true}'])
  expect(ran.stderr).toMatch(/app[\\/]export\.json already exists/)
  expect((await run('exec', '--force', ...line.slice(1))).code).toBe(0)
  expect(read('app/export.json')).toContain('psp-sandbox/')
  expect((await run(...line)).code).toBe(0)
})
