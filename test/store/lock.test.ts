import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { nodeFileSystem, readLock, StoreLocked } from '../../src/store/index.ts'
import { takeLock } from '../../src/store/lock.ts'
import { processStart } from '../../src/store/process-identity.ts'
import { bundled } from './bundled.ts'
import { store, temporaryFolder } from './fixtures.ts'
import { diskError, memoryDisk } from './memory-disk.ts'

test('a second opener is told pid and url of the first', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.announce('http://127.0.0.1:7770')
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreLocked)
  expect(error).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:7770' })
  expect(error.message).toContain(`in use by process ${process.pid} (http://127.0.0.1:7770)`)
  expect(readLock(folder)).toMatchObject({ pid: process.pid, url: 'http://127.0.0.1:7770' })
  await first.close()
  expect(readLock(folder)).toBeUndefined()
  await (await store(folder)).close()
})

test('the url may be known from the beginning', async () => {
  const folder = temporaryFolder()
  const first = await store(folder, { owner: { url: () => 'http://127.0.0.1:1' } })
  expect(readLock(folder)?.url).toBe('http://127.0.0.1:1')
  await first.close()
})

test('the lock of a dead process is taken over', async () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  expect(readLock(folder)).toBeUndefined()
  await (await store(folder)).close()
})

test.skipIf(processStart(process.pid) === undefined)('a number that another process has now is dead', async () => {
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  onTestFinished(() => void other.kill())
  await once(other, 'spawn')
  const alive = locked({ pid: other.pid, started_at: 1, start: processStart(other.pid as number) })
  await expect(store(alive)).rejects.toThrow(StoreLocked)
  const reused = locked({ pid: other.pid, started_at: 1, start: 'another-boot:123' })
  expect(readLock(reused)).toBeUndefined()
  await (await store(reused)).close()
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
  const [program = ''] = bundled(new URL('./contender.ts', import.meta.url))
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

test('without second names the lock is made in place', () => {
  const disk = memoryDisk()
  disk.before = (call) => (call.startsWith('link') ? { taken: 0, error: diskError('EPERM') } : undefined)
  disk.port.makeFolder('/home/.psp')
  const lock = takeLock(disk.port, '/home/.psp', 1)
  expect(() => takeLock(disk.port, '/home/.psp', 1)).toThrow(StoreLocked)
  lock.release()
  takeLock(disk.port, '/home/.psp', 1).release()
  expect(disk.port.list('/home/.psp')).toEqual([])
})

test('a lock that another process took meanwhile is not removed', () => {
  const folder = locked({ pid: 999_999_999, started_at: 1 })
  const lock = takeLock(nodeFileSystem, folder, 1)
  writeFileSync(join(folder, 'lock'), '{"pid":1,"started_at":5}')
  lock.release()
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe('{"pid":1,"started_at":5}')
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
