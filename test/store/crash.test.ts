import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Commit } from '../../src/engine/commit.ts'
import type { Store } from '../../src/store/store.ts'
import { AT, commitOf, contents, payment, put, store } from './fixtures.ts'
import { type Disk, diskError, memoryDisk } from './memory-disk.ts'
import { applyTo, randomCommits, randomCommitsAndStates, replacementOf, statesAfterEach } from './random-commits.ts'

/** `PSP_TEST_RUNS=20` looks twenty times as long. */
const MORE = Number(process.env['PSP_TEST_RUNS'] ?? 1)

const FOLDER = '/home/.psp'
const LOCK_OF_THE_DEAD = Buffer.from('{"pid":999999999,"started_at":1}')

/** A commit, or a checkpoint, or a restart. */
const story = fc.record({
  commits: randomCommitsAndStates,
  checkpoints: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  restarts: fc.uniqueArray(fc.nat(11), { maxLength: 2 }),
})
type Story = { commits: readonly Commit[]; checkpoints: readonly number[]; restarts: readonly number[] }

test('any prefix of the journal recovers to what a prefix of the commits makes', async () => {
  await fc.assert(
    fc.asyncProperty(randomCommits, fc.double({ min: 0, max: 1, noNaN: true }), async (list, share) => {
      const disk = memoryDisk()
      await run(disk, { commits: list, checkpoints: [], restarts: [] }, { stay: true })
      const path = `${FOLDER}/journal/000000000001.ndjson`
      const bytes = disk.port.read(path) ?? Buffer.alloc(0)
      const cut = bytes.subarray(0, Math.floor(share * bytes.length))
      const left = disk.afterKill()
      rewrite(left, path, cut)
      const lines = wholeLines(bytes, cut.length)
      expect(await recovered(left)).toEqual((await statesAfterEach(list))[lines])
    }),
    { numRuns: 150 * MORE },
  )
})

test('every prefix of one journal, byte by byte, after a checkpoint too', async () => {
  const [first, second, third] = [1, 2, 3].map((n) => commitOf({ puts: [put('payments', payment(n))] })) as [
    Commit,
    Commit,
    Commit,
  ]
  const clearing = commitOf({ clear: ['payments'], deletes: [], puts: [put('rules', { id: 'r' })] })
  const told = { commits: [first, second, clearing, third], checkpoints: [1], restarts: [] }
  const disk = memoryDisk()
  await run(disk, told, { stay: true })
  const path = `${FOLDER}/journal/000000000002.ndjson`
  const bytes = disk.port.read(path) ?? Buffer.alloc(0)
  const states = await statesAfterEach(told.commits)
  expect(bytes.length).toBeGreaterThan(300)
  for (let end = 0; end <= bytes.length; end++) {
    const left = disk.afterKill()
    rewrite(left, path, bytes.subarray(0, end))
    const lines = wholeLines(bytes, end)
    expect(await recovered(left)).toEqual(states[1 + lines])
  }
})

test('killed before, or in the middle of, any call to the disk: nothing acknowledged is lost', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), async (told, when, share) => {
      const calls = await countCalls(told)
      const disk = memoryDisk()
      const point = 1 + (when % calls)
      disk.before = (_, n) =>
        n >= point ? { taken: n === point ? Math.floor(share * 300) : 0, error: diskError('EIO') } : undefined
      const { acknowledged } = await run(disk, told)
      const states = await statesAfterEach(told.commits)
      const found = await recovered(disk.afterKill())
      // The commit in doubt may be there or not, but whole.
      expect([states[acknowledged], states[acknowledged + 1]]).toContainEqual(found)
    }),
    { numRuns: 150 * MORE },
  )
})

test('killed while it recovers, and killed again: nothing is lost', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.array(fc.nat(), { minLength: 2, maxLength: 4 }), async (told, points) => {
      const calls = await countCalls(told)
      let disk = memoryDisk()
      let allowed = (points[0] ?? 0) % calls
      disk.before = (_, n) => (n > allowed ? { taken: 3, error: diskError('EIO') } : undefined)
      const { acknowledged } = await run(disk, told)
      for (const point of points.slice(1)) {
        disk = dead(disk.afterKill())
        allowed = point % 40
        disk.before = (_, n) => (n > allowed ? { taken: 3, error: diskError('EIO') } : undefined)
        await store(FOLDER, { fs: disk.port })
          .then((opened) => opened.checkpoint())
          .catch(() => {})
      }
      const states = await statesAfterEach(told.commits)
      expect([states[acknowledged], states[acknowledged + 1]]).toContainEqual(await recovered(disk.afterKill()))
    }),
    { numRuns: 150 * MORE },
  )
})

test.each([[true], [false]])('a power cut at any call, durable: %s', async (durable) => {
  await fc.assert(
    fc.asyncProperty(
      story,
      fc.nat(),
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      async (told, when, draws) => {
        const calls = await countCalls(told, durable)
        const disk = memoryDisk()
        const point = 1 + (when % calls)
        disk.before = (_, n) => (n >= point ? { taken: 100, error: diskError('EIO') } : undefined)
        const { acknowledged } = await run(disk, told, { durable })
        const states = await statesAfterEach(told.commits)
        const found = await recovered(disk.afterPowerCut(() => draws.next().value))
        const least = durable ? acknowledged : 0
        expect(states.slice(least, acknowledged + 2)).toContainEqual(found)
      },
    ),
    { numRuns: 150 * MORE },
  )
})

test('a disk that refuses once, at any call: memory and disk agree, and the start after it finds the same', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.nat(), fc.boolean(), async (told, when, durable) => {
      const calls = await countCalls(told, durable)
      const disk = memoryDisk()
      const point = 1 + (when % calls)
      disk.before = (_, n) => (n === point ? { taken: 50, error: diskError() } : undefined)
      const { acknowledged, world } = await run(disk, told, { durable })
      const states = await statesAfterEach(told.commits)
      if (world !== undefined) expect(world).toEqual(states[acknowledged])
      expect(await recovered(disk.afterKill())).toEqual(states[acknowledged])
    }),
    { numRuns: 150 * MORE },
  )
})

test.each([[true], [false]])(
  'commits that come at any moment of a checkpoint outlive a kill, durable: %s',
  async (durable) => {
    for (let delay = 0; delay < 40; delay++) {
      const disk = memoryDisk()
      const opened = await store(FOLDER, { fs: disk.port, durable })
      await opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
      const done = opened.checkpoint()
      for (let n = 0; n < delay; n++) await Promise.resolve()
      const late = opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(2))] }))
      await Promise.all([late, done])
      await opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(3))] }))
      expect(await recovered(disk.afterKill())).toEqual({ payments: [payment(1), payment(2), payment(3)] })
    }
  },
)

test.each([
  [false, 'ENOSPC'],
  [true, 'ENOSPC'],
  [true, 'EROFS'],
])('each write, rename and sync of a story refused in turn, durable: %s, %s', async (durable, code) => {
  const made = [1, 2, 3, 4].map((n) => commitOf({ puts: [put('payments', payment(n))] }))
  const told = {
    commits: [...made, replacementOf(2, '7s'), ...made.slice(1)],
    checkpoints: [1, 3, 6],
    restarts: [2, 7],
  }
  const states = await statesAfterEach(told.commits)
  const whole = memoryDisk()
  await run(whole, told, { durable })
  const kinds = new Set(whole.calls.map((call) => call.split(' ')[0]))
  const expected = ['link', 'makeFolder', 'open', 'remove', 'removeTree', 'rename', 'sync', 'syncFolder', 'write']
  expect([...kinds].sort()).toEqual(['datasync', ...expected])
  for (let point = 1; point <= whole.calls.length; point++) {
    for (const lasting of [false, true]) {
      const disk = memoryDisk()
      // A disk that refuses for good may still cut a file off: a full one does.
      disk.before = (call, n) =>
        n === point || (lasting && n > point && !call.startsWith('truncate'))
          ? { taken: 20, error: diskError(code) }
          : undefined
      const { acknowledged, world } = await run(disk, told, { durable })
      if (world !== undefined) expect([point, world]).toEqual([point, states[acknowledged]])
      expect([point, await recovered(disk.afterKill())]).toEqual([point, states[acknowledged]])
    }
  }
})

/** Of the first `end` bytes; a line without no more than its newline counts. */
function wholeLines(bytes: Buffer, end: number): number {
  return (
    bytes
      .subarray(0, end + 1)
      .toString('latin1')
      .split('\n').length - 1
  )
}

async function countCalls(told: Story, durable = false): Promise<number> {
  const disk = memoryDisk()
  await run(disk, told, { durable })
  return disk.calls.length
}

/** Plays the story until the disk fails. @returns how many commits were acknowledged, and what memory held then */
async function run(disk: Disk, told: Story, options: { durable?: boolean; stay?: boolean } = {}) {
  const open = () => store(FOLDER, { fs: disk.port, ...(options.durable && { durable: true }) })
  let acknowledged = 0
  let opened: Store | undefined
  try {
    opened = await open()
    for (const [i, commit] of told.commits.entries()) {
      if (told.restarts.includes(i)) {
        await opened.close()
        opened = await open()
      }
      if (told.checkpoints.includes(i)) await opened.checkpoint()
      await applyTo(opened, commit)
      acknowledged++
    }
    if (options.stay !== true) await opened.close()
  } catch {}
  return { acknowledged, world: opened && contents(opened.world) }
}

async function recovered(disk: Disk): Promise<unknown> {
  const opened = await store(FOLDER, { fs: dead(disk).port })
  const found = contents(opened.world)
  await opened.close()
  return found
}

/** The process that held the folder is gone. */
function dead(disk: Disk): Disk {
  disk.port.makeFolder(FOLDER)
  for (const name of new Set(['lock', ...disk.port.list(FOLDER)])) {
    if (name.startsWith('lock')) rewrite(disk, `${FOLDER}/${name}`, LOCK_OF_THE_DEAD)
  }
  return disk
}

function rewrite(disk: Disk, path: string, bytes: Uint8Array): void {
  const fd = disk.port.open(path, 'w')
  if (bytes.length > 0) disk.port.write(fd, bytes)
  disk.port.sync(fd)
  disk.port.close(fd)
}
