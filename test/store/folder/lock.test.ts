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

test('a second opener is told pid and url of the first', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.announce('http://127.0.0.1:7770')
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreLockedError)
  expect(error).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:7770' })
  expect(error.message).toContain(`in use by process ${process.pid} (http://127.0.0.1:7770)`)
  expect(readLock(folder)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:7770' })
  await first.close()
  expect(readLock(folder)).toBeUndefined()
  await (await store(folder)).close()
})

test('the lock of a dead process is taken over', async () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  expect(readLock(folder)).toBeUndefined()
  await (await store(folder)).close()
})

test.skipIf(processStartId(process.pid) === undefined)('a number that another process has now is dead', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  onTestFinished(() => void other.kill())
  await once(other, 'spawn')
  const alive = locked({ pid: other.pid, started_at: 1, start: processStartId(other.pid as number) })
  await expect(store(alive)).rejects.toThrow(StoreLockedError)
  const reused = locked({ pid: other.pid, started_at: 1, start: 'another-boot:123' })
  expect(readLock(reused)).toBeUndefined()
  await (await store(reused)).close()
})

test('a lock that was copied with its folder holds nobody up, and the original keeps its own', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.announce('http://127.0.0.1:7770')
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

test('a folder that is moved or reached through a link is still held by the process that locked it', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  symlinkSync(folder, `${folder}-link`)
  expect(readLock(`${folder}-link`)).toMatchObject({ pid: process.pid })
  await expect(store(`${folder}-link`)).rejects.toThrow(StoreLockedError)
  renameSync(folder, `${folder}-moved`)
  await expect(store(`${folder}-moved`)).rejects.toThrow(StoreLockedError)
  await first.close()
})

test('a lock whose folder got another number is still held if the path is the same', async () => {
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

test.each(['', '{"pid":', 'null', '{"pid":"x"}'])('a lock that holds %j is dead', async (text) => {
  const folder = locked(text)
  await (await store(folder)).close()
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('who crashed while it took over holds nobody up, and its files go', async () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  writeFileSync(join(folder, 'lock.999999999-1'), '{"pid":999999998,"started_at":2}')
  writeFileSync(join(folder, 'lock.tmp-999999998-1'), '{}')
  const opened = await store(folder)
  expect(readdirSync(folder).filter((name) => name.startsWith('lock'))).toEqual(['lock'])
  await opened.close()
})

test('of many processes that find a dead lock at once exactly one gets it', async () => {
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

test('on a full disk a live holder is named before anything is written, and its url finds room in the lock', async () => {
  const disk = memoryDisk()
  const first = await store('/home/.psp', { fs: disk.port })
  disk.before = () => ({ taken: 0, error: diskError('ENOSPC') })
  first.announce('http://127.0.0.1:7770')
  expect(await store('/home/.psp', { fs: disk.port }).catch((error) => error)).toMatchObject({
    name: 'StoreLockedError',
    pid: process.pid,
    url: 'http://127.0.0.1:7770',
  })
  expect(disk.port.list('/home/.psp').filter((name) => name.startsWith('lock'))).toEqual(['lock'])
  disk.before = () => undefined
  await first.close()
})

test('without second names the lock is made in place', () => {
  const disk = memoryDisk()
  disk.before = (call) => (call.startsWith('link') ? { taken: 0, error: diskError('EPERM') } : undefined)
  disk.port.makeFolder('/home/.psp')
  const lock = acquireLock(disk.port, '/home/.psp', 1)
  expect(() => acquireLock(disk.port, '/home/.psp', 1)).toThrow(StoreLockedError)
  lock.release()
  acquireLock(disk.port, '/home/.psp', 1).release()
  expect(disk.port.list('/home/.psp')).toEqual([])
})

test('a lock that another process took meanwhile is not removed', () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  const lock = acquireLock(nodeFileSystem, folder, 1)
  writeFileSync(join(folder, 'lock'), '{"pid":1,"started_at":5}')
  lock.release()
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('{"pid":1,"started_at":5}')
})

describe('a holder that cannot be seen: of another container, or another machine', () => {
  const FOLDER = '/home/.psp'

  /** Two containers: the disk is the same, the numbers of their processes mean nothing to each other. */
  function containers() {
    const disk = memoryDisk()
    const waiting: (() => void)[] = []
    const notices: string[] = []
    const start = (place: string) =>
      store(FOLDER, {
        fs: disk.port,
        pidNamespace: place,
        notice: (text) => notices.push(text),
        systemClock: { now: () => disk.now, setTimeout: (fn) => waiting.push(fn) },
      })
    /** Until one more look at the lock was made, at this time of the disk. */
    const look = async (now: number) => {
      await expect.poll(() => waiting.length).toBe(1)
      disk.now = now
      waiting.shift()?.()
    }
    return { disk, start, look, notices }
  }

  test('one that beats is alive, whatever its number', async () => {
    const { disk, start, look, notices } = containers()
    let beat = () => {}
    const setInterval = (fn: () => void) => {
      beat = fn
      return { cancel() {} }
    }
    const first = await store(FOLDER, {
      fs: disk.port,
      pidNamespace: 'one',
      systemClock: { now: () => disk.now, setInterval },
    })
    first.announce('http://127.0.0.1:7770')
    const second = start('two')
    second.catch(() => {})
    await look(1000)
    beat()
    await look(1250)
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

  test('one that was killed is known for dead when its lock is old enough, and its folder is whole', async () => {
    const { disk, start, look } = containers()
    const first = await start('one')
    first.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
    const second = start('two')
    await look(5000)
    await look(10_001)
    const opened = await second
    expect(contents(opened.world)).toEqual({ payments: [payment(1)] })
    // It was no more than suspended: it finds out before it writes.
    expect(() => first.append(AT, 'x', commitOf({ puts: [put('payments', payment(2))] }))).toThrow(/now belongs to/)
    await first.close()
    opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(3))] }))
    await opened.close()
    const again = await store(FOLDER, { fs: disk.port })
    expect(contents(again.world)).toEqual({ payments: [payment(1), payment(3)] })
    await again.close()
  })

  test('a lock of long ago is taken at once', async () => {
    const { disk, start, notices } = containers()
    await start('one')
    disk.now = 60_000
    await (await start('two')).close()
    expect(notices).toEqual([])
  })

  test('where the clock of the disk stands or was set back, silence counts', async () => {
    const { disk, start, look } = containers()
    disk.now = 5_000_000
    await start('one')
    const second = start('two')
    for (let looks = 0; looks <= 40; looks++) await look(0)
    await (await second).close()
  })

  test('on a real disk, the beat is a new date of the same file, and one of another holder is let be', async () => {
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
