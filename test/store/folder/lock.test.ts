import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { StoreLockedError } from '../../../src/store/errors.ts'
import { nodeFileSystem } from '../../../src/store/folder/file-system.ts'
import { acquireLock, readLock } from '../../../src/store/folder/lock.ts'
import { processStartId } from '../../../src/store/folder/process-identity.ts'
import { bundlePrograms } from '../bundle-programs.ts'
import { AT, commitOf, contents, payment, put, store, temporaryFolder } from '../fixtures.ts'
import { diskError, memoryDisk } from '../memory-disk.ts'

test('a second opening fails with the pid and URL of the first', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.publishUrl('http://127.0.0.1:7770')
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreLockedError)
  expect(error).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:7770' })
  expect(error.message).toContain(`in use by process ${process.pid} (http://127.0.0.1:7770)`)
  expect(readLock(folder)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:7770' })
  await first.close()
  expect(readLock(folder)).toBeUndefined()
  await (await store(folder)).close()
})

test('the lock of a dead process is replaced', async () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  expect(readLock(folder)).toBeUndefined()
  await (await store(folder)).close()
})

test.skipIf(processStartId(process.pid) === undefined)(
  'a lock counts as dead if its pid now belongs to another process',
  async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill())
    await once(other, 'spawn')
    const alive = locked({ pid: other.pid, started_at: 1, start: processStartId(other.pid as number) })
    await expect(store(alive)).rejects.toThrow(StoreLockedError)
    const reused = locked({ pid: other.pid, started_at: 1, start: 'another-boot:123' })
    expect(readLock(reused)).toBeUndefined()
    await (await store(reused)).close()
  },
)

test('a copied data directory can be opened, and the lock of the original stays', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.publishUrl('http://127.0.0.1:7770')
  const copy = `${folder}-copy`
  cpSync(folder, copy, { recursive: true })
  expect(readLock(copy)).toBeUndefined()
  const second = await store(copy)
  expect(readLock(copy)).toMatchObject({ pid: process.pid, folder: copy })
  expect(readLock(folder)).toMatchObject({ url: 'http://127.0.0.1:7770', folder })
  second.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
  await second.close()
  expect(contents(first.world)).toEqual({})
  await first.close()
})

test('a data directory that is moved or reached through a link stays locked', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  symlinkSync(folder, `${folder}-link`)
  expect(readLock(`${folder}-link`)).toMatchObject({ pid: process.pid })
  await expect(store(`${folder}-link`)).rejects.toThrow(StoreLockedError)
  renameSync(folder, `${folder}-moved`)
  await expect(store(`${folder}-moved`)).rejects.toThrow(StoreLockedError)
  await first.close()
})

test('a lock stays valid if its directory gets another id but has the same path', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  const numbered = {
    ...nodeFileSystem,
    stat: (file: string | number) => {
      const found = nodeFileSystem.stat(file)
      return found && { ...found, id: `other:${found.id}` }
    },
  }
  expect(readLock(folder, numbered)).toMatchObject({ pid: process.pid })
  await first.close()
})

test.each(['', '{"pid":', 'null', '{"pid":"x"}'])('a lock with the content %j counts as dead', async (text) => {
  const folder = locked(text)
  await (await store(folder)).close()
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('the files of a process that crashed while it acquired the lock are removed', async () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  writeFileSync(join(folder, 'lock.999999999-1'), '{"pid":999999998,"started_at":2}')
  writeFileSync(join(folder, 'lock.tmp-999999998-1'), '{}')
  const opened = await store(folder)
  expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual(['lock'])
  await opened.close()
})

test('exactly one of several processes that find a dead lock at once acquires it', async () => {
  const [program = ''] = await bundlePrograms(new URL('./lock-contender.ts', import.meta.url))
  for (let round = 0; round < 3; round++) {
    const folder = locked({ pid: 999_999_999, started_at: 1 })
    const go = join(folder, 'go')
    const contenders = Array.from({ length: 4 }, () => contender(program, folder, go))
    for (const { line } of contenders) expect(await line()).toBe('ready')
    writeFileSync(go, '')
    const results = await Promise.all(contenders.map(({ line }) => line()))
    for (const { end } of contenders) end()
    expect(results.sort()).toEqual(['lost', 'lost', 'lost', 'won'])
  }
})

test('a full disk does not prevent a live holder from announcing its URL, and a second opening reports it', async () => {
  const disk = memoryDisk()
  const first = await store('/home/.psp', { fs: disk.port })
  disk.before = () => ({ taken: 0, error: diskError('ENOSPC') })
  first.publishUrl('http://127.0.0.1:7770')
  expect(await store('/home/.psp', { fs: disk.port }).catch((error) => error)).toMatchObject({
    name: 'StoreLockedError',
    pid: process.pid,
    url: 'http://127.0.0.1:7770',
  })
  expect(disk.port.list('/home/.psp').filter((name) => name.startsWith('lock'))).toEqual(['lock'])
  disk.before = () => undefined
  await first.close()
})

test('the lock works on a file system without hard links', () => {
  const disk = memoryDisk()
  disk.before = (call) => (call.startsWith('link') ? { taken: 0, error: diskError('EPERM') } : undefined)
  disk.port.makeFolder('/home/.psp')
  const lock = acquireLock(disk.port, '/home/.psp', 1)
  expect(() => acquireLock(disk.port, '/home/.psp', 1)).toThrow(StoreLockedError)
  lock.release()
  acquireLock(disk.port, '/home/.psp', 1).release()
  expect(disk.port.list('/home/.psp')).toEqual([])
})

test('releasing a lock does not remove the lock of another process', () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  const lock = acquireLock(nodeFileSystem, folder, 1)
  writeFileSync(join(folder, 'lock'), '{"pid":1,"started_at":5}')
  lock.release()
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('{"pid":1,"started_at":5}')
})

describe('a lock holder in another container or on another machine', () => {
  const FOLDER = '/home/.psp'

  /** Two containers that share a disk. Neither can see the processes of the other. */
  function containers() {
    const disk = memoryDisk()
    const waiting: (() => void)[] = []
    const notices: string[] = []
    const start = (namespace: string) =>
      store(FOLDER, {
        fs: disk.port,
        pidNamespace: namespace,
        notice: (text) => notices.push(text),
        systemClock: {
          now: () => disk.now,
          setTimeout: (fn) => {
            waiting.push(fn)
            return { cancel: () => {} }
          },
        },
      })
    /** Waits for one more check of the lock, at this time of the disk. */
    const check = async (now: number) => {
      await expect.poll(() => waiting.length).toBe(1)
      disk.now = now
      waiting.shift()?.()
    }
    return { disk, start, check, notices }
  }

  test('counts as alive if it writes heartbeats', async () => {
    const { disk, start, check, notices } = containers()
    let heartbeat = () => {}
    const setInterval = (fn: () => void) => {
      heartbeat = fn
      return { cancel() {} }
    }
    const first = await store(FOLDER, {
      fs: disk.port,
      pidNamespace: 'one',
      systemClock: { now: () => disk.now, setInterval },
    })
    first.publishUrl('http://127.0.0.1:7770')
    const second = start('two')
    second.catch(() => {})
    await check(1000)
    heartbeat()
    await check(1250)
    const error = await second.catch((thrown) => thrown)
    expect(error).toBeInstanceOf(StoreLockedError)
    expect(error.message).toMatch(
      /in use by process \d+ \(http:\/\/127\.0\.0\.1:7770\) of another container or machine \(.+\)\./,
    )
    expect(notices).toEqual([expect.stringMatching(/another container or machine .* 10 s to see if it is alive/)])
    first.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
    await first.close()
    await (await start('two')).close()
  })

  test('counts as dead if its lock is old enough, and its data is complete', async () => {
    const { disk, start, check } = containers()
    const first = await start('one')
    first.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
    const second = start('two')
    await check(5000)
    await check(10_001)
    const opened = await second
    expect(contents(opened.world)).toEqual({ payments: [payment(1)] })
    // If it was only suspended, it notices the loss before it writes.
    expect(() => first.append(AT, 'x', commitOf({ puts: [put('payments', payment(2))] }))).toThrow(/now belongs to/)
    await first.close()
    opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(3))] }))
    await opened.close()
    const again = await store(FOLDER, { fs: disk.port })
    expect(contents(again.world)).toEqual({ payments: [payment(1), payment(3)] })
    await again.close()
  })

  test('is replaced at once if its lock is very old', async () => {
    const { disk, start, notices } = containers()
    await start('one')
    disk.now = 60_000
    await (await start('two')).close()
    expect(notices).toEqual([])
  })

  test('counts as dead after a time without heartbeats, even if the clock of the disk was set back', async () => {
    const { disk, start, check } = containers()
    disk.now = 5_000_000
    await start('one')
    const second = start('two')
    for (let n = 0; n <= 40; n++) await check(0)
    await (await second).close()
  })

  test('updates the date of its lock file with each heartbeat, but never the date of another lock', async () => {
    const folder = temporaryFolder()
    mkdirSync(folder, { recursive: true })
    const lock = acquireLock(nodeFileSystem, folder, 1)
    const path = join(folder, 'lock')
    utimesSync(path, 1, 1)
    lock.heartbeat()
    expect(Math.abs((nodeFileSystem.modified(path) ?? 0) - Date.now())).toBeLessThan(60_000)
    writeFileSync(path, '{"pid":1,"started_at":5}')
    utimesSync(path, 1, 1)
    lock.heartbeat()
    expect(nodeFileSystem.modified(path)).toBe(1000)
    expect(readFileSync(path, 'utf8')).toBe('{"pid":1,"started_at":5}')
  })
})

function contender(program: string, folder: string, go: string) {
  const child = spawn(process.execPath, [program, folder, go], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return { line: async () => (await lines.next()).value, end: () => child.stdin.end() }
}

function locked(content: unknown): string {
  const folder = temporaryFolder()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'lock'), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}
