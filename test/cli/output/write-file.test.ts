// Files that commands write: the older file stays until the new one is complete.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { reserveFile, temporaryPath } from '../../../src/cli/output/temporary-file.ts'
import { requireWritable, writeFile } from '../../../src/cli/output/write-file.ts'
import { type FileSystemPort, nodeFileSystem } from '../../../src/store/folder/file-system.ts'
import { createSystemClock } from '../../../src/system-clock/system-clock.ts'
import { createTestDir, psp } from '../helpers.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const unixOnly = process.platform === 'win32' ? test.skip : test

test('a write that fails keeps the older file and leaves no temporary file behind', async () => {
  const { folder, file } = withFile('older')
  const full: FileSystemPort = {
    ...nodeFileSystem,
    write: () => {
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    },
  }
  await expect(writeFile(file, 'newer', { port: full })).rejects.toMatchObject({ code: 'ENOSPC' })
  expect(readFileSync(file, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['out.txt'])
})

test('incomplete content keeps the older file and leaves no temporary file behind', async () => {
  const { folder, file } = withFile('older')
  async function* broken() {
    yield Buffer.from('newer')
    throw new Error('the server is gone')
  }
  await expect(writeFile(file, broken())).rejects.toThrow('the server is gone')
  expect(readFileSync(file, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['out.txt'])
})

test('a signal discards what is written so far', async () => {
  const { folder, file } = withFile('older')
  const ended = new AbortController()
  async function* endless() {
    for (let n = 0; ; n++) {
      if (n === 3) ended.abort(new Error('ended'))
      yield Buffer.from('newer')
    }
  }
  await expect(writeFile(file, endless(), { signal: ended.signal })).rejects.toThrow('ended')
  expect(readFileSync(file, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['out.txt'])
})

unixOnly('a file that is replaced keeps its mode, and a new one gets the mode of its kind', async () => {
  const { folder, file } = withFile('older')
  chmodSync(file, 0o640)
  await writeFile(file, 'newer', { secret: true })
  expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['newer', 0o640])
  await writeFile(join(folder, 'secret'), 'x', { secret: true })
  await writeFile(join(folder, 'plain'), 'x')
  expect(modeOf(join(folder, 'secret'))).toBe(0o600)
  expect(modeOf(join(folder, 'plain'))).toBe(0o666 & ~process.umask())
})

unixOnly.each(['644', '666'])(
  'only this user can read the new content of a file with mode %s until it is complete',
  async (digits) => {
    const mode = Number.parseInt(digits, 8)
    const { folder, file } = withFile('older')
    chmodSync(file, mode)
    const modes: number[] = []
    async function* content() {
      yield Buffer.from('newer')
      for (const name of readdirSync(folder)) if (name !== 'out.txt') modes.push(modeOf(join(folder, name)))
    }
    const sync: FileSystemPort['sync'] = (fd) => {
      modes.push(fstatSync(fd).mode & 0o777)
      nodeFileSystem.sync(fd)
    }
    await writeFile(file, content(), { secret: true, port: { ...nodeFileSystem, sync } })
    expect(modes).toEqual([0o600, 0o600])
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['newer', mode])
  },
)

test('a write removes what killed processes left for the same file, and nothing else', async () => {
  const { folder, file } = withFile('older')
  const killed = spawn(process.execPath, ['-e', '0'])
  const { pid = 0 } = killed
  await once(killed, 'exit')
  const left = temporaryPath(file, pid)
  const kept = [
    temporaryPath(file, process.ppid),
    temporaryPath(join(folder, 'other.txt'), pid),
    temporaryPath(file, pid, 'another container'),
  ]
  const old = temporaryPath(file, 1, 'a container of yesterday')
  for (const path of [left, old, ...kept]) writeFileSync(path, 'secret')
  utimesSync(old, 1, 1)
  await writeFile(file, 'newer', { secret: true })
  expect(readdirSync(folder).sort()).toEqual(['out.txt', ...kept.map((path) => basename(path))].sort())
})

test('a reservation removes what killed processes left for any file of the folder', async () => {
  const { folder, file } = withFile('older')
  const killed = spawn(process.execPath, ['-e', '0'])
  const { pid = 0 } = killed
  await once(killed, 'exit')
  const other = temporaryPath(join(folder, 'other.har'), pid)
  const kept = temporaryPath(join(folder, 'other.har'), process.ppid)
  for (const path of [other, `${other}.new`, temporaryPath(file, pid), kept]) writeFileSync(path, '')
  reserveFile('out.txt', file)()
  expect(readdirSync(folder).sort()).toEqual([basename(kept), 'out.txt'].sort())
})

unixOnly.each([
  ['a descriptor', (number: number) => [`/proc/self/fd/${number}`]],
  ['an absolute link to a descriptor', (number: number, up: string) => [`${up}/link`, `/proc/self/fd/${number}`]],
  [
    'a relative link to a descriptor',
    (number: number, up: string) => [`${up}/link`, `${'../'.repeat(up.split('/').length)}proc/self/fd/${number}`],
  ],
  ['a linked folder of descriptors', (number: number, up: string) => [`${up}/link`, '/proc/self/fd', `/${number}`]],
] as const)('%s is written in place', async (_, pathsOf) => {
  if (!existsSync('/proc/self/fd')) return
  const { folder, file } = withFile('')
  const before = statSync(file).ino
  const descriptor = openSync(file, 'a')
  onTestFinished(() => closeSync(descriptor))
  const [name = '', target, below = ''] = pathsOf(descriptor, folder)
  if (target !== undefined) symlinkSync(target, name)
  await writeFile(`${name}${below}`, 'new')
  expect([statSync(file).ino, readFileSync(file, 'utf8')]).toEqual([before, 'new'])
})

unixOnly.each([
  ['a link in a linked folder', 'near/up', 'deep/out.txt'],
  ['a link through the parent of a linked folder', 'around', 'deep/out.txt'],
  ['a name in a linked folder', 'near/out.txt', 'deep/er/out.txt'],
])('%s writes the file that the system finds under this name', async (_, name, written) => {
  const { folder, file } = withFile('precious')
  mkdirSync(join(folder, 'deep/er'), { recursive: true })
  symlinkSync('deep/er', join(folder, 'near'))
  symlinkSync('../out.txt', join(folder, 'deep/er/up'))
  symlinkSync('near/../out.txt', join(folder, 'around'))
  for (const content of ['new', 'newer']) {
    await writeFile(join(folder, name), content)
    expect([readFileSync(join(folder, written), 'utf8'), readFileSync(file, 'utf8')]).toEqual([content, 'precious'])
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
  }
})

unixOnly.each(['a link to a file', 'a link to a file that is not there yet', 'a link to a link'])(
  '%s stays a link, and its target is written',
  async (kind) => {
    const { folder, file } = withFile('older')
    mkdirSync(join(folder, 'sub'))
    const target = kind.includes('not there') ? join(folder, 'sub', 'none') : file
    const first = join(folder, 'sub', 'first')
    symlinkSync(kind.includes('not there') ? 'none' : '../out.txt', first)
    const link = kind === 'a link to a link' ? join(folder, 'second') : first
    if (link !== first) symlinkSync(join('sub', 'first'), link)
    await writeFile(link, 'newer')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readlinkSync(first)).toBe(kind.includes('not there') ? 'none' : '../out.txt')
    expect(readFileSync(target, 'utf8')).toBe('newer')
  },
)

unixOnly('a named pipe gets the bytes and stays a pipe', async () => {
  const { folder } = withFile('older')
  const pipe = join(folder, 'pipe')
  await run('mkfifo', [pipe])
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
  let read = ''
  reader.stdout.on('data', (chunk) => {
    read += chunk
  })
  const closed = once(reader, 'close')
  await writeFile(pipe, 'through the pipe')
  await closed
  expect(read).toBe('through the pipe')
  expect(lstatSync(pipe).isFIFO()).toBe(true)
})

unixOnly('a named pipe without a reader is written as soon as it has one, and a signal ends the wait', async () => {
  const { folder } = withFile('older')
  const pipe = join(folder, 'pipe')
  await run('mkfifo', [pipe])
  const ended = new AbortController()
  let waits = 0
  const clock = createSystemClock()
  const timers = {
    setTimeout(fn: () => void) {
      waits++
      if (waits === 3) ended.abort(new Error('ended'))
      return clock.setTimeout(fn, 1)
    },
  }
  await expect(writeFile(pipe, 'late', { signal: ended.signal, timers })).rejects.toThrow('ended')
  expect(waits).toBe(3)
  const written = writeFile(pipe, 'late')
  const { stdout } = await run('cat', [pipe])
  await written
  expect(stdout).toBe('late')
})

unixOnly('a device takes the bytes in place', async () => {
  await writeFile('/dev/null', 'nothing')
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
})

test.skipIf(!existsSync('/dev/full'))('a device that is full reports it', async () => {
  await expect(writeFile('/dev/full', 'x')).rejects.toMatchObject({ code: 'ENOSPC' })
})

test('a directory of the same name is refused and stays empty', async () => {
  const { folder } = withFile('older')
  mkdirSync(join(folder, 'sub'))
  await expect(writeFile(join(folder, 'sub'), 'x')).rejects.toMatchObject({ code: 'EISDIR' })
  expect(() => requireWritable(join(folder, 'sub'))).toThrow(/EISDIR/)
  expect(readdirSync(join(folder, 'sub'))).toEqual([])
})

test('`requireWritable` changes nothing and leaves nothing behind', () => {
  const { folder, file } = withFile('older')
  requireWritable(file)
  requireWritable(join(folder, 'new'))
  expect(readFileSync(file, 'utf8')).toBe('older')
  expect(readdirSync(folder)).toEqual(['out.txt'])
  expect(() => requireWritable(join(folder, 'none', 'new'))).toThrow(/ENOENT/)
})

test('a file in a directory where no file can be created is written in place', async () => {
  const { folder, file } = withFile('older')
  const closed: FileSystemPort = {
    ...nodeFileSystem,
    open: () => {
      throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })
    },
  }
  await writeFile(file, 'newer', { port: closed })
  expect(readFileSync(file, 'utf8')).toBe('newer')
  expect(readdirSync(folder)).toEqual(['out.txt'])
  await expect(writeFile(join(folder, 'none'), 'x', { port: closed })).rejects.toMatchObject({ code: 'EACCES' })
})

test('a file that cannot be replaced by a rename is written in place', async () => {
  const { folder, file } = withFile('older')
  const mounted: FileSystemPort = {
    ...nodeFileSystem,
    rename: () => {
      throw Object.assign(new Error('EBUSY: resource busy'), { code: 'EBUSY' })
    },
  }
  await writeFile(file, 'newer', { port: mounted })
  expect(readFileSync(file, 'utf8')).toBe('newer')
  expect(readdirSync(folder)).toEqual(['out.txt'])
})

test.skipIf(!isRoot || process.platform !== 'linux')('on a full disk every command keeps the older file', async () => {
  const [disk, data] = [createTestDir(), createTestDir()]
  onTestFinished(data.remove)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk.path])
  } catch {
    // A container without the right to mount.
    disk.remove()
    return
  }
  onTestFinished(async () => {
    await run('umount', [disk.path])
    disk.remove()
  })
  writeFileSync(join(disk.path, 'older'), 'older')
  writeFileSync(join(disk.path, 'filler'), Buffer.alloc(60 * 1024))
  for (const line of [
    'openapi --out older --force',
    'store export older --force',
    'audit http://127.0.0.1:9/hook --junit older --force',
    'audit http://127.0.0.1:9/hook --html older --force',
  ]) {
    const { code, stderr } = await psp(line, { cwd: disk.path, env: { PSP_DATA: data.path } })
    expect([line, code, stderr]).toEqual([line, 1, expect.stringMatching(/older cannot be written: the disk is full/)])
    expect([line, readFileSync(join(disk.path, 'older'), 'utf8')]).toEqual([line, 'older'])
    expect(readdirSync(disk.path)).toEqual(['filler', 'older'])
  }
})

function withFile(text: string): { folder: string; file: string } {
  const { path, remove } = createTestDir()
  onTestFinished(remove)
  const file = join(path, 'out.txt')
  writeFileSync(file, text)
  return { folder: path, file }
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777
}
