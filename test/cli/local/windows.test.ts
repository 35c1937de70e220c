// Paths, shells and programs of Windows. The host gives the path rules, so the tests run on any system.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join, posix, win32 } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checkDisk } from '../../../src/cli/commands/doctor/data-checks.ts'
import { childEnvironment, isProgram } from '../../../src/cli/commands/exec/child-process.ts'
import { parseConfigFile } from '../../../src/cli/config/config-file.ts'
import { dataFolder, resolvePath, shellHint } from '../../../src/cli/input/files.ts'
import { decoded } from '../../../src/cli/input/read-input.ts'
import type { Session } from '../../../src/cli/session.ts'
import { isDiskPath } from '../../../src/domain/typed-address.ts'
import { createTestDir, jsonOf, psp } from '../helpers.ts'

const windows = { cwd: 'C:\\Users\\dev\\shop', paths: win32 }
const GIT_BASH = 'C:/Program Files/Git/v1/public/banks'

describe('a typed path', () => {
  test.each([
    ['.psp', 'C:\\Users\\dev\\shop\\.psp'],
    ['psp.config.json', 'C:\\Users\\dev\\shop\\psp.config.json'],
    ['state files\\one.json', 'C:\\Users\\dev\\shop\\state files\\one.json'],
    ['seeds/shop.json', 'C:\\Users\\dev\\shop\\seeds\\shop.json'],
    ['..\\other', 'C:\\Users\\dev\\other'],
    ['D:\\data\\.psp', 'D:\\data\\.psp'],
    ['d:/data/.psp', 'd:\\data\\.psp'],
    ['\\data', 'C:\\data'],
    ['\\\\server\\share\\psp', '\\\\server\\share\\psp'],
  ])('the path %j on Windows is %j', (name, whole) => {
    expect(resolvePath(windows, name)).toBe(whole)
    expect(dataFolder({ host: windows, values: { data: name } })).toBe(whole)
  })

  test('a path on POSIX keeps its meaning', () => {
    const host = { cwd: '/home/dev/shop', paths: posix }
    expect(resolvePath(host, '.psp')).toBe('/home/dev/shop/.psp')
    // On POSIX this is an ordinary name.
    expect(resolvePath(host, 'C:\\x')).toBe('/home/dev/shop/C:\\x')
  })
})

describe('a path on a disk', () => {
  const PATHS = ['C:\\hooks', 'c:/hooks', 'D:\\', '\\\\server\\share', '.\\hooks', '..\\hooks', './hooks', '../hooks']

  test.each(PATHS)('each argument for an address refuses the path %j', async (path) => {
    expect(isDiskPath(path)).toBe(true)
    for (const line of [
      ['payments', 'list', '--url', path],
      ['listen', '--forward', path],
      ['audit', path],
      ['webhooks', 'endpoints', 'create', path],
      ['serve', '--endpoint', path],
      ['request', 'GET', path],
    ]) {
      const { code, stdout, stderr } = await psp(line)
      expect([line, code, stdout]).toEqual([line, 2, ''])
      expect(stderr, line.join(' ')).toContain('is a file path')
    }
  })

  test.each(['localhost:3000', 'c:3000', '/hooks', '//example.com/x', 'http://c/', '3000', ':3000', '..example.com'])(
    'the address %j is not a path',
    (text) => expect(isDiskPath(text)).toBe(false),
  )

  test('a path that Git Bash rewrote gets a hint about MSYS_NO_PATHCONV', async () => {
    expect(shellHint(GIT_BASH)).toContain('MSYS_NO_PATHCONV=1')
    expect(shellHint('C:/hooks')).toBeUndefined()
    for (const line of [
      ['request', 'GET', GIT_BASH],
      ['listen', '--forward', GIT_BASH],
    ])
      expect((await psp(line)).stderr).toContain('Git Bash')
  })
})

describe('files as Windows writes them', () => {
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  const folder = createTestDir()
  afterAll(() => folder.remove())
  const write = (name: string, bytes: Buffer | string) => writeFileSync(join(folder.path, name), bytes)

  test('text files may have a byte order mark, CRLF or UTF-16', () => {
    expect(decoded(Buffer.from('\ufeff{"a":"₽"}'))).toBe('{"a":"₽"}')
    expect(decoded(utf16('{"a":"₽"}'))).toBe('{"a":"₽"}')
    expect(parseConfigFile('{\r\n  "port": 1\r\n}\r\n').values.get('port')).toBe(1)
  })

  test('psp.config.json, a scenario and a state may be in UTF-16', async () => {
    write('psp.config.json', utf16('{"port": 1234}'))
    expect(jsonOf(await psp('config --json', { cwd: folder.path }))).toMatchObject({ port: { value: 1234 } })
    write('scenario.json', utf16('{"name":"x","steps":[{"do":"payments.create","with":{"amount":7}}]}'))
    const played = await psp('trigger ./scenario.json', { cwd: folder.path })
    expect([played.code, played.stdout]).toEqual([0, expect.stringContaining('payments.create')])
    const state = await psp('store export -', { cwd: folder.path })
    write('state.json', utf16(`${state.stdout}\r\n`))
    expect((await psp('store import state.json', { cwd: folder.path })).stdout).toContain(
      'imported the state from state.json',
    )
    const spoilt = { ...JSON.parse(state.stdout), format: 'other' }
    write('state.json', utf16(JSON.stringify(spoilt)))
    expect((await psp('store import state.json', { cwd: folder.path })).stderr).toContain('format')
  })

  test('`-d @file` and `-d -` are sent as they are', async () => {
    write('a body.json', '{"amount": 4321}')
    for (const [body, stdin] of [
      ['@a body.json', ''],
      ['-', '{"amount": 4321}'],
    ] as const) {
      const ran = await psp(['request', 'POST', '/v1/public/payments', '-d', body, '--json'], {
        cwd: folder.path,
        stdin,
      })
      expect(jsonOf(ran)).toMatchObject({ payment: { amount: 4321 } })
    }
  })
})

test('arguments that cmd.exe split at single quotes get a hint', async () => {
  for (const line of [
    ['request', 'POST', '/v1/public/payments', '-d', "'{amount:", "1}'"],
    ['payments', 'get', "'one", "two'"],
  ]) {
    const { code, stderr } = await psp(line)
    expect([code, stderr]).toEqual([2, expect.stringContaining('cmd.exe')])
  }
})

describe('exec', () => {
  const host = (env: Record<string, string>) => ({ ...windows, env })
  const existsOnly =
    (...files: string[]) =>
    (path: string) =>
      files.includes(path)

  test('`isProgram` looks for a program as cmd.exe does', () => {
    const env = { Path: 'C:\\Windows;C:\\nodejs', PATHEXT: '.EXE;.CMD' }
    expect(isProgram('npm', host(env), existsOnly('C:\\nodejs\\npm.CMD'))).toBe(true)
    expect(isProgram('npm.cmd', host(env), existsOnly('C:\\nodejs\\npm.cmd'))).toBe(true)
    expect(isProgram('vitest', host(env), existsOnly('C:\\Users\\dev\\shop\\node_modules\\.bin\\vitest.CMD'))).toBe(
      true,
    )
    expect(isProgram('.\\run.bat', host(env), existsOnly('C:\\Users\\dev\\shop\\run.bat'))).toBe(true)
    expect(isProgram('D:\\tools\\x', host(env), existsOnly('D:\\tools\\x.EXE'))).toBe(true)
    expect(isProgram('nothing', host(env), existsOnly('C:\\nodejs\\npm.CMD'))).toBe(false)
    // On other systems the spawn reports a missing program.
    expect(isProgram('nothing', { cwd: '/', paths: posix, env: {} }, existsOnly())).toBe(true)
  })

  test('a .cmd of the project is found, and its arguments are quoted for both shells', () => {
    const folder = createTestDir()
    onTestFinished(() => folder.remove())
    const bin = join(folder.path, 'node_modules', '.bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'tool.CMD'), '@node "%~dp0\\..\\tool.js" %*')
    const env = childEnvironment(
      { cwd: folder.path, env: { PATH: '/nowhere', PATHEXT: '.EXE;.CMD' } },
      { PSP_URL: 'http://x' },
    )
    expect(env['PATH']?.split(delimiter)[0]).toBe(bin)
    expect(env['PSP_URL']).toBe('http://x')
    // A PATH as on Windows.
    const onWindows = { ...env, PATH: env['PATH']?.replaceAll(delimiter, ';') }
    const parsed = windowsParse()('tool', ['a & b', '"c"', '%PATH%'], { env: onWindows, cwd: folder.path })
    const { command, args, options } = parsed
    expect(command).toMatch(/cmd\.exe$/i)
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c'])
    expect(args[3]).toBe('"tool ^^^"a^^^ ^^^&^^^ b^^^" ^^^"\\^^^"c\\^^^"^^^" ^^^"^^^%PATH^^^%^^^""')
    expect(options.windowsVerbatimArguments).toBe(true)
  })

  /** Returns the parser that execa uses on Windows. */
  function windowsParse(): Parse {
    vi.stubGlobal(
      'process',
      new Proxy(process, { get: (real, name) => (name === 'platform' ? 'win32' : Reflect.get(real, name)) }),
    )
    onTestFinished(() => void vi.unstubAllGlobals())
    const load = createRequire(createRequire(import.meta.url).resolve('execa'))
    const path = load.resolve('cross-spawn')
    for (const known of Object.keys(load.cache)) if (/cross-spawn|which|isexe/.test(known)) delete load.cache[known]
    const { _parse } = load(path) as { _parse: Parse }
    for (const known of Object.keys(load.cache)) if (/cross-spawn|which|isexe/.test(known)) delete load.cache[known]
    return _parse
  }
})

type Parse = (
  command: string,
  args: string[],
  options: object,
) => { command: string; args: string[]; options: { windowsVerbatimArguments?: boolean } }

test('arguments with special characters reach the child of exec unchanged', async () => {
  const folder = createTestDir()
  onTestFinished(() => folder.remove())
  const given = ['a b', 'c"d', "it's", '$HOME', '%PATH%', '*', '', 'x & y', 'Чай ₽']
  const program = 'require("fs").writeFileSync("given.json", JSON.stringify(process.argv.slice(1)))'
  const { code } = await psp(['exec', '--quiet', '--', 'node', '-e', program, '--', ...given], { cwd: folder.path })
  expect(code).toBe(0)
  expect(JSON.parse(decoded(readFileSync(join(folder.path, 'given.json'))))).toEqual(given)
})

test('`psp doctor` walks up to the root of a drive', () => {
  const session = { host: windows, values: { data: 'D:\\x\\.psp', ephemeral: false } } as unknown as Session
  const asked: string[] = []
  checkDisk(session, {
    exists: (path) => asked.push(path) > 0 && path === 'D:\\',
    isFolder: () => true,
    writable() {},
    free: () => undefined,
  })
  expect(asked).toEqual(['D:\\x\\.psp', 'D:\\x', 'D:\\'])
})
