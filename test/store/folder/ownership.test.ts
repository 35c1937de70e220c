// A data directory that is removed, moved or taken over by another process while a store has it open.
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/errors.ts'
import { AT, commitOf, contents, filesOf, payment, put, store, temporaryFolder } from '../fixtures.ts'

const commit = (n: number) => commitOf({ puts: [put('payments', payment(n))] })

describe.each(['at once', 'durable', 'by turns'])('commits written %s', (how) => {
  async function started() {
    const folder = temporaryFolder()
    const notices: string[] = []
    let now = AT as number
    const opened = await store(folder, {
      systemClock: { now: () => now },
      notice: (text) => notices.push(text),
      durable: how === 'durable',
      ...(how === 'by turns' && { nextTurn: setImmediate }),
    })
    opened.publishUrl('http://127.0.0.1:7770')
    const append = async (n: number) => opened.append(AT, 'x', commit(n))
    await append(1)
    return { folder, opened, notices, append, later: () => (now += 1000) }
  }

  test('fail if the directory was removed; memory stays readable, and nothing is created', async () => {
    const { folder, opened, notices, append, later } = await started()
    rmSync(folder, { recursive: true })
    later()
    await expect(append(2)).rejects.toThrow(StoreUnavailableError)
    await expect(append(3)).rejects.toThrow(StoreUnavailableError)
    expect(opened.lostReason()).toBeInstanceOf(StoreUnavailableError)
    expect(contents(opened.world)).toEqual({ payments: [payment(1)] })
    await expect(opened.snapshots.save({ name: 'a', saved_at: AT }, opened.view())).rejects.toThrow(
      StoreUnavailableError,
    )
    expect(notices).toEqual([
      expect.stringMatching(
        /was removed or moved away while psp used it\. .*save it with `psp store export FILE --url http:\/\/127\.0\.0\.1:7770`, then start psp again/,
      ),
    ])
    await opened.close()
    expect(() => readdirSync(folder)).toThrow(/ENOENT/)
  })

  test('fail if the directory was moved, and its files stay unchanged', async () => {
    const { folder, opened, notices, append, later } = await started()
    renameSync(folder, `${folder}-moved`)
    const before = filesOf(`${folder}-moved`)
    later()
    await expect(append(2)).rejects.toThrow(StoreUnavailableError)
    await opened.close()
    expect(() => readdirSync(folder)).toThrow(/ENOENT/)
    expect(filesOf(`${folder}-moved`)).toEqual(before)
    expect(notices).toHaveLength(1)
    rmSync(join(`${folder}-moved`, 'lock'))
    const again = await store(`${folder}-moved`)
    expect(contents(again.world)).toEqual({ payments: [payment(1)] })
    await again.close()
  })

  test('fail if another store uses a new directory of that name, whose files stay unchanged', async () => {
    const { folder, opened, notices, append, later } = await started()
    rmSync(folder, { recursive: true })
    const next = await store(folder)
    next.append(AT, 'x', commit(7))
    const before = filesOf(folder)
    later()
    await opened.checkpoint()
    await expect(append(2)).rejects.toThrow(StoreUnavailableError)
    opened.publishUrl('http://127.0.0.1:1')
    await opened.close()
    expect(filesOf(folder)).toEqual(before)
    expect(notices[0]).toMatch(new RegExp(`now belongs to process ${process.pid}`))
    next.append(AT, 'x', commit(8))
    await next.close()
    const again = await store(folder)
    expect(contents(again.world)).toEqual({ payments: [payment(7), payment(8)] })
    await again.close()
  })

  test('fail if only the lock was removed and another store uses the same journal', async () => {
    const { folder, opened, append, later } = await started()
    rmSync(join(folder, 'lock'))
    const next = await store(folder)
    next.append(AT, 'x', commit(7))
    later()
    await expect(append(2)).rejects.toThrow(StoreUnavailableError)
    await opened.close()
    next.append(AT, 'x', commit(8))
    await next.close()
    const again = await store(folder)
    expect(contents(again.world)).toEqual({ payments: [payment(1), payment(7), payment(8)] })
    await again.close()
  })

  test.each<[string, (path: string) => void, RegExp]>([
    ['removed', (path) => rmSync(path), /000000000001\.ndjson was removed or moved away/],
    ['removed with its folder', (path) => rmSync(dirname(path), { recursive: true }), /was removed or moved away/],
    ['moved away', (path) => renameSync(path, `${path}.bak`), /was removed or moved away/],
    ['emptied', (path) => truncateSync(path), /was truncated while psp used it: it has 0 bytes, and psp wrote \d+/],
    ['truncated', (path) => truncateSync(path, 20), /was truncated while psp used it: it has 20 bytes/],
    [
      'replaced by a copy',
      (path) => {
        copyFileSync(path, `${path}.bak`)
        renameSync(`${path}.bak`, path)
      },
      /was replaced by another one/,
    ],
    ['appended to', (path) => appendFileSync(path, '\n'), /Another program wrote to the journal file/],
    [
      'truncated and filled to its former length',
      (path) => {
        const { length } = readFileSync(path)
        truncateSync(path, 20)
        appendFileSync(path, 'x'.repeat(length - 20))
      },
      /Another program wrote to the journal file/,
    ],
  ])('fail with a notice if the journal was %s', async (_, damage, why) => {
    const { folder, opened, notices, append, later } = await started()
    damage(join(folder, 'journal/000000000001.ndjson'))
    later()
    await expect(append(2)).rejects.toThrow(StoreUnavailableError)
    expect(notices).toEqual([expect.stringMatching(why)])
    expect(contents(opened.world)).toEqual({ payments: [payment(1)] })
    await opened.close()
    expect(opened.lostReason()?.message).toMatch(/save it with `psp store export FILE --url http:\/\/127\.0\.0\.1:7770/)
  })

  test('fail if the directory was replaced by a copy, and neither of the two is written', async () => {
    const { folder, opened, notices, append, later } = await started()
    renameSync(folder, `${folder}-old`)
    cpSync(`${folder}-old`, folder, { recursive: true })
    const before = [filesOf(folder), filesOf(`${folder}-old`)]
    later()
    await expect(append(2)).rejects.toThrow(StoreUnavailableError)
    expect(notices).toEqual([expect.stringMatching(/was replaced by a copy while psp used it/)])
    await opened.close()
    expect([filesOf(folder), filesOf(`${folder}-old`)]).toEqual(before)
  })
})

test.each<[string, (path: string) => void]>([
  ['truncated', (path) => truncateSync(path, 20)],
  ['filled with other bytes', (path) => writeFileSync(path, Buffer.alloc(readFileSync(path).length, 'x'))],
])(
  'a journal that was %s before the first change of a run is reported at the close with advice for a stopped psp',
  async (_, damage) => {
    const folder = temporaryFolder()
    const first = await store(folder)
    first.append(AT, 'x', commit(1))
    const left = `${folder}-left`
    cpSync(folder, left, { recursive: true })
    await first.close()
    const notices: string[] = []
    const opened = await store(left, { notice: (text) => notices.push(text) })
    opened.publishUrl('http://127.0.0.1:7770')
    damage(join(left, 'journal/000000000001.ndjson'))
    await opened.close()
    expect(notices).toEqual([expect.stringMatching(/psp is stopping.*backup/)])
    expect(notices[0]).not.toContain('store export')
    expect(opened.lostReason()?.message).toBe(notices[0])
  },
)

test('a start after a truncation does not claim that the dropped bytes were never confirmed', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  opened.append(AT, 'x', commit(1))
  truncateSync(join(folder, 'journal/000000000001.ndjson'), 20)
  await opened.close()
  const notices: string[] = []
  const next = await store(folder, { notice: (text) => notices.push(text) })
  expect(notices).toEqual([
    expect.stringMatching(
      /:1: dropped 20 bytes of an incomplete change\. A crash or another program cut it short.*put the file back from a backup/,
    ),
  ])
  await next.close()
})

test('a closed store reports no lost directory', async () => {
  let now = AT as number
  const opened = await store(temporaryFolder(), { systemClock: { now: () => now } })
  opened.append(AT, 'x', commit(1))
  await opened.close()
  now += 1000
  expect(opened.lostReason()).toBeUndefined()
})

test('a truncated journal of an idle store is reported at the next heartbeat', async () => {
  const folder = temporaryFolder()
  const notices: string[] = []
  let now = AT as number
  let heartbeat = () => {}
  const setInterval = (fn: () => void) => {
    heartbeat = fn
    return { cancel() {} }
  }
  const opened = await store(folder, {
    systemClock: { now: () => now, setInterval },
    notice: (text) => notices.push(text),
  })
  opened.append(AT, 'x', commit(1))
  truncateSync(join(folder, 'journal/000000000001.ndjson'))
  now += 2000
  heartbeat()
  expect(notices).toEqual([expect.stringMatching(/was truncated while psp used it/)])
  await opened.close()
})

test('a journal that was truncated before the first change of a run is reported at that change', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.append(AT, 'x', commit(1))
  const left = `${folder}-left`
  cpSync(folder, left, { recursive: true })
  await first.close()
  const notices: string[] = []
  const opened = await store(left, { notice: (text) => notices.push(text) })
  expect(contents(opened.world)).toEqual({ payments: [payment(1)] })
  truncateSync(join(left, 'journal/000000000001.ndjson'))
  expect(() => opened.append(AT, 'x', commit(2))).toThrow(StoreUnavailableError)
  expect(notices).toEqual([expect.stringMatching(/was truncated while psp used it/)])
  await opened.close()
})

test('the close reports a directory that was lost while nothing was written', async () => {
  const folder = temporaryFolder()
  const notices: string[] = []
  const opened = await store(folder, { notice: (text) => notices.push(text) })
  opened.append(AT, 'x', commit(1))
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  writeFileSync(join(folder, 'lock'), '{"pid":1,"started_at":5}')
  await opened.close()
  expect(opened.lostReason()).toBeDefined()
  expect(notices).toEqual([expect.stringContaining('now belongs to process 1')])
  expect(filesOf(folder)).toEqual({ lock: '{"pid":1,"started_at":5}' })
})
