import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../../src/store/errors.ts'
import { AT, commitOf, contents, payment, put, store } from './fixtures.ts'
import { diskError, memoryDisk } from './memory-disk.ts'

const FOLDER = '/home/.psp'
const commit = (n: number) =>
  commitOf({ puts: [put('payments', payment(n))], deletes: [{ table: 'rules', id: `r${n}` }] })

test('a commit on a full disk fails with a clear message, and memory stays readable and unchanged', async () => {
  const { disk, opened, notices } = await started()
  opened.append(AT, 'x', commit(1))
  const before = contents(opened.world)
  disk.before = (call) => (call.startsWith('write journal') ? { taken: 40, error: diskError('ENOSPC') } : undefined)
  const error = thrown(() => opened.append(AT, 'x', commit(2)))
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toMatch(
    /journal .*000000000001\.ndjson could not be written: the disk is full: free some space \(ENOSPC\)/,
  )
  expect(error.message).toMatch(/until a write succeeds\. Each change tries again/)
  expect(opened.readOnlyReason()?.message).toBe(error.message)
  expect(contents(opened.world)).toEqual(before)
  expect(thrown(() => opened.append(AT, 'x', commit(3))).message).toBe(error.message)
  expect(contents(opened.world)).toEqual(before)
  expect(notices).toEqual([error.message])
  await opened.close()
  disk.before = () => undefined
  const again = await store(FOLDER, { fs: disk.port })
  expect(contents(again.world)).toEqual(before)
  again.append(AT, 'x', commit(4))
  await again.close()
})

test.each(['EMFILE', 'ENOSPC', 'EROFS'])(
  'commits succeed again after a temporary %s, and are found at the next start',
  async (code) => {
    for (const call of [/^open journal/, /^syncFolder journal/, /^rename newest/, /^write journal/]) {
      const { disk, opened, notices } = await started()
      disk.before = (name) => (call.test(name) ? { taken: 7, error: diskError(code) } : undefined)
      expect(thrown(() => opened.append(AT, 'x', commit(1)))).toBeInstanceOf(StoreUnavailableError)
      expect(thrown(() => opened.append(AT, 'x', commit(2)))).toBeInstanceOf(StoreUnavailableError)
      disk.before = () => undefined
      opened.append(AT, 'x', commit(3))
      expect(opened.readOnlyReason()).toBeUndefined()
      opened.append(AT, 'x', commit(4))
      expect(notices).toEqual([
        expect.stringContaining(code),
        expect.stringMatching(/Writes to the disk succeed again/),
      ])
      const after = contents(opened.world)
      expect(after).toEqual({ payments: [payment(3), payment(4)] })
      const again = await store(FOLDER, { fs: withoutLock(disk.afterKill()).port })
      expect(contents(again.world)).toEqual(after)
      await again.close()
    }
  },
)

test('after the commits of one turn fail, the next commit is written at once, and later ones share a turn again', async () => {
  const turns: (() => void)[] = []
  const { disk, opened } = await started({ nextTurn: (fn) => void turns.push(fn) })
  const next = () => turns.shift()?.()
  disk.before = (call) => (call.startsWith('write journal') ? { taken: 7, error: diskError('ENOSPC') } : undefined)
  const failed = Promise.allSettled([opened.append(AT, 'x', commit(1)), opened.append(AT, 'x', commit(2))])
  next()
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  // It fails at once, so no caller waits for it.
  expect(thrown(() => opened.append(AT, 'x', commit(3)))).toBeInstanceOf(StoreUnavailableError)
  disk.before = () => undefined
  expect(opened.append(AT, 'x', commit(4))).toBeUndefined()
  const added = opened.append(AT, 'x', commit(5))
  next()
  await added
  expect(contents(opened.world)).toEqual({ payments: [payment(4), payment(5)] })
  const again = await store(FOLDER, { fs: withoutLock(disk.afterKill()).port })
  expect(contents(again.world)).toEqual(contents(opened.world))
  await again.close()
})

test('a torn line that could not be truncated is removed before the next line is written', async () => {
  const { disk, opened } = await started()
  opened.append(AT, 'x', commit(1))
  disk.before = (call) => (/^(write journal|truncate)/.test(call) ? { taken: 9, error: diskError('EIO') } : undefined)
  expect(thrown(() => opened.append(AT, 'x', commit(2)))).toBeInstanceOf(StoreUnavailableError)
  disk.before = () => undefined
  opened.append(AT, 'x', commit(3))
  const again = await store(FOLDER, { fs: withoutLock(disk.afterKill()).port })
  expect(contents(again.world)).toEqual({ payments: [payment(1), payment(3)] })
  await again.close()
})

test('the store stays read-only after a failed sync', async () => {
  const { disk, opened, notices } = await started({ durable: true })
  await opened.append(AT, 'x', commit(1))
  disk.before = (call) => (call.startsWith('datasync') ? { taken: 0, error: diskError('ENOSPC') } : undefined)
  await expect(opened.append(AT, 'x', commit(2))).rejects.toThrow(/until psp is started again/)
  disk.before = () => undefined
  expect(thrown(() => opened.append(AT, 'x', commit(3))).message).toMatch(/until psp is started again/)
  expect(notices).toHaveLength(1)
})

test('a failed sync rolls back the commits that wait for it', async () => {
  const { disk, opened, notices } = await started({ durable: true })
  await opened.append(AT, 'x', commit(1))
  const before = contents(opened.world)
  disk.before = (call) => (call.startsWith('datasync') ? { taken: 0, error: diskError('EIO') } : undefined)
  const clearing = commitOf({
    clear: ['payments', 'rules'],
    puts: [put('state', { id: 'settings', values: { buyer: 'manual' } })],
  })
  const results = await Promise.allSettled([opened.append(AT, 'x', commit(2)), opened.append(AT, 'x', clearing)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(contents(opened.world)).toEqual(before)
  expect(opened.world.settings.buyer).toBe('auto')
  expect(notices).toEqual([expect.stringMatching(/could not be made durable: the disk reports an input\/output error/)])
  const again = await store(FOLDER, { fs: withoutLock(disk.afterKill()).port })
  expect(contents(again.world)).toEqual(before)
  await again.close()
})

test('a failed commit is not stored at the close, even if the journal could not be truncated', async () => {
  const { disk, opened } = await started({ durable: true })
  await opened.append(AT, 'x', commit(1))
  const before = contents(opened.world)
  disk.before = (call) => (/^(datasync|truncate)/.test(call) ? { taken: 0, error: diskError('EIO') } : undefined)
  await expect(opened.append(AT, 'x', commit(2))).rejects.toThrow(StoreUnavailableError)
  await opened.close()
  disk.before = () => undefined
  const again = await store(FOLDER, { fs: disk.port })
  expect(contents(again.world)).toEqual(before)
  await again.close()
})

test('a sync that fails after its journal file was sealed undoes no commit of that file', async () => {
  const disk = memoryDisk()
  const syncs: { resolve: () => void; reject: (error: Error) => void }[] = []
  const datasync = () => new Promise<void>((resolve, reject) => void syncs.push({ resolve, reject }))
  const opened = await store(FOLDER, { fs: { ...disk.port, datasync }, durable: true })
  const added = opened.append(AT, 'x', commit(1))
  await expect.poll(() => syncs).toHaveLength(1)
  const checkpoint = opened.checkpoint()
  await expect.poll(() => syncs).toHaveLength(2)
  syncs[1]?.resolve()
  await checkpoint
  syncs[0]?.reject(diskError('EIO'))
  await expect(added).rejects.toThrow(StoreUnavailableError)
  expect(contents(opened.world)).toEqual({ payments: [payment(1)] })
  const again = await store(FOLDER, { fs: withoutLock(disk.afterKill()).port })
  expect(contents(again.world)).toEqual(contents(opened.world))
  await again.close()
})

test('the commits of one turn share a sync', async () => {
  const { disk, opened } = await started({ durable: true })
  const from = disk.calls.length
  await Promise.all([1, 2, 3, 4].map((n) => opened.append(AT, 'x', commit(n))))
  expect(disk.calls.slice(from).filter((call) => call.startsWith('datasync'))).toHaveLength(1)
  expect(opened.flushed()).toBeUndefined()
  await opened.close()
})

test.each(['EROFS', 'EACCES'])('the start reports a data directory that cannot be written (%s)', async (code) => {
  const disk = memoryDisk()
  disk.before = () => ({ taken: 0, error: diskError(code) })
  const error = await store(FOLDER, { fs: disk.port }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toMatch(new RegExp(`data directory /home/\\.psp cannot be used: .*--data \\(${code}\\)`))
})

test('a close that cannot write the pages rejects, releases the lock and loses nothing', async () => {
  const { disk, opened } = await started()
  opened.append(AT, 'x', commit(1))
  disk.before = (call) => (call.startsWith('rename pages') ? { taken: 0, error: diskError('ENOSPC') } : undefined)
  await expect(opened.close()).rejects.toMatchObject({
    name: 'PagesNotWrittenError',
    message: expect.stringMatching(
      /pages of .* could not be written: the disk is full.*the journal has the missing changes/,
    ),
  })
  disk.before = () => undefined
  const again = await store(FOLDER, { fs: disk.port })
  expect(contents(again.world)).toEqual({ payments: [payment(1)] })
  await again.close()
})

test('a checkpoint that cannot write the pages is reported, loses nothing, and succeeds later', async () => {
  const { disk, opened, notices } = await started()
  opened.append(AT, 'x', commit(1))
  disk.before = (call) => (call.startsWith('rename pages') ? { taken: 0, error: diskError('ENOSPC') } : undefined)
  await opened.checkpoint()
  expect(notices).toEqual([
    expect.stringMatching(/pages of .* could not be written: the disk is full.*Nothing is lost/),
  ])
  opened.append(AT, 'x', commit(2))
  expect(disk.port.list(`${FOLDER}/journal`)).toHaveLength(2)
  disk.before = () => undefined
  await opened.checkpoint()
  expect(disk.port.list(`${FOLDER}/journal`)).toEqual([])
  expect(disk.port.list(`${FOLDER}/pages/payments`)).toEqual(['000000.json'])
  await opened.close()
})

test('a closed store rejects commits', async () => {
  const opened = await store(undefined)
  await opened.close()
  expect(() => opened.append(AT, 'x', commit(1))).toThrow(StoreUnavailableError)
})

async function started(options: { durable?: boolean; nextTurn?: (fn: () => void) => void } = {}) {
  const disk = memoryDisk()
  const notices: string[] = []
  const opened = await store(FOLDER, { fs: disk.port, notice: (text) => notices.push(text), ...options })
  return { disk, opened, notices }
}

function thrown(fn: () => unknown): Error {
  try {
    fn()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}

function withoutLock(disk: ReturnType<typeof memoryDisk>) {
  disk.port.remove(`${FOLDER}/lock`)
  return disk
}
