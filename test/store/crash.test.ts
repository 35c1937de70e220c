import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Commit } from '../../src/engine/commit.ts'
import type { Store } from '../../src/store/store.ts'
import { randomRuns } from '../random-runs.ts'
import { AT, commitOf, contents, DEAD_LOCK, payment, put, store } from './fixtures.ts'
import { type Disk, diskError, memoryDisk } from './memory-disk.ts'
import { applyTo, randomCommits, randomCommitsAndStates, replacementOf, statesAfterEach } from './random-commits.ts'

const FOLDER = '/home/.psp'

/**
 * The scenarios of each random test, before the factor of `PSP_TEST_RUNS`. The last test makes each file operation of one
 * scenario fail in turn. So the random tests only vary the commits, the checkpoints and the restarts.
 */
const RUNS = randomRuns(25)

/** Spares each start the reads of this id from the system. */
const pidNamespace = 'the namespace of the test'

/** Commits, with checkpoints and restarts before some of them. */
const scenarios = fc.record({
  commits: randomCommitsAndStates,
  checkpoints: fc.uniqueArray(fc.nat(11), { maxLength: 3 }),
  restarts: fc.uniqueArray(fc.nat(11), { maxLength: 2 }),
})

type Scenario = { commits: readonly Commit[]; checkpoints: readonly number[]; restarts: readonly number[] }

test('a journal that is cut at any byte recovers to the state after its last whole commit', async () => {
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
    { numRuns: RUNS },
  )
})

test('a journal after a checkpoint recovers to whole commits if it is cut at each byte in turn', async () => {
  const [first, second, third] = [1, 2, 3].map((n) => commitOf({ puts: [put('payments', payment(n))] })) as [
    Commit,
    Commit,
    Commit,
  ]
  const clearing = commitOf({ clear: ['payments'], deletes: [], puts: [put('rules', { id: 'r' })] })
  const scenario = { commits: [first, second, clearing, third], checkpoints: [1], restarts: [] }
  const disk = memoryDisk()
  await run(disk, scenario, { stay: true })
  const path = `${FOLDER}/journal/000000000002.ndjson`
  const bytes = disk.port.read(path) ?? Buffer.alloc(0)
  const states = await statesAfterEach(scenario.commits)
  expect(bytes.length).toBeGreaterThan(300)
  for (let end = 0; end <= bytes.length; end++) {
    const left = disk.afterKill()
    rewrite(left, path, bytes.subarray(0, end))
    const lines = wholeLines(bytes, end)
    expect(await recovered(left)).toEqual(states[1 + lines])
  }
})

test('a kill before or during any file operation loses no acknowledged commit', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), async (scenario, when, share) => {
      const calls = await countCalls(scenario)
      const disk = memoryDisk()
      const point = 1 + (when % calls)
      disk.before = (_, n) =>
        n >= point ? { taken: n === point ? Math.floor(share * 300) : 0, error: diskError('EIO') } : undefined
      const { acknowledged } = await run(disk, scenario)
      const states = await statesAfterEach(scenario.commits)
      const found = await recovered(disk.afterKill())
      // The commit during the kill may be stored or not, but not in part.
      expect([states[acknowledged], states[acknowledged + 1]]).toContainEqual(found)
    }),
    { numRuns: RUNS },
  )
})

test('repeated kills during the recovery lose no acknowledged commit', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.array(fc.nat(), { minLength: 2, maxLength: 4 }), async (scenario, points) => {
      const calls = await countCalls(scenario)
      let disk = memoryDisk()
      let allowed = (points[0] ?? 0) % calls
      disk.before = (_, n) => (n > allowed ? { taken: 3, error: diskError('EIO') } : undefined)
      const { acknowledged } = await run(disk, scenario)
      for (const point of points.slice(1)) {
        disk = markKilled(disk.afterKill())
        allowed = point % 40
        disk.before = (_, n) => (n > allowed ? { taken: 3, error: diskError('EIO') } : undefined)
        await store(FOLDER, { fs: disk.port, pidNamespace })
          .then((opened) => opened.checkpoint())
          .catch(() => {})
      }
      const states = await statesAfterEach(scenario.commits)
      expect([states[acknowledged], states[acknowledged + 1]]).toContainEqual(await recovered(disk.afterKill()))
    }),
    { numRuns: RUNS },
  )
})

test.each([[true], [false]])(
  'a power cut at any file operation leaves the state after one of the commits, durable: %s',
  async (durable) => {
    await fc.assert(
      fc.asyncProperty(
        scenarios,
        fc.nat(),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        async (scenario, when, draws) => {
          const calls = await countCalls(scenario, durable)
          const disk = memoryDisk()
          const point = 1 + (when % calls)
          disk.before = (_, n) => (n >= point ? { taken: 100, error: diskError('EIO') } : undefined)
          const { acknowledged } = await run(disk, scenario, { durable })
          const states = await statesAfterEach(scenario.commits)
          const found = await recovered(disk.afterPowerCut(() => draws.next().value))
          const least = durable ? acknowledged : 0
          expect(states.slice(least, acknowledged + 2)).toContainEqual(found)
        },
      ),
      { numRuns: RUNS },
    )
  },
)

test('memory, disk and the next start agree after any single file operation fails', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, fc.nat(), fc.boolean(), async (scenario, when, durable) => {
      const calls = await countCalls(scenario, durable)
      const disk = memoryDisk()
      const point = 1 + (when % calls)
      disk.before = (_, n) => (n === point ? { taken: 50, error: diskError() } : undefined)
      const { acknowledged, world } = await run(disk, scenario, { durable })
      const states = await statesAfterEach(scenario.commits)
      if (world !== undefined) expect(world).toEqual(states[acknowledged])
      expect(await recovered(disk.afterKill())).toEqual(states[acknowledged])
    }),
    { numRuns: RUNS },
  )
})

test.each([[true], [false]])('commits at any moment of a checkpoint survive a kill, durable: %s', async (durable) => {
  for (let delay = 0; delay < 40; delay++) {
    const disk = memoryDisk()
    const opened = await store(FOLDER, { fs: disk.port, pidNamespace, durable })
    await opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
    const done = opened.checkpoint()
    for (let n = 0; n < delay; n++) await Promise.resolve()
    const added = opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(2))] }))
    await Promise.all([added, done])
    await opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(3))] }))
    expect(await recovered(disk.afterKill())).toEqual({ payments: [payment(1), payment(2), payment(3)] })
  }
})

test.each([
  [false, 'ENOSPC'],
  [true, 'EROFS'],
])(
  'memory and disk agree if each file operation of a scenario fails in turn, durable: %s, %s',
  async (durable, code) => {
    const made = [1, 2, 3, 4].map((n) => commitOf({ puts: [put('payments', payment(n))] }))
    const scenario = {
      commits: [...made, replacementOf(2, '7s'), ...made.slice(1)],
      checkpoints: [1, 3, 6],
      restarts: [2, 7],
    }
    const states = await statesAfterEach(scenario.commits)
    const whole = memoryDisk()
    await run(whole, scenario, { durable })
    const kinds = new Set(whole.calls.map((call) => call.split(' ')[0]))
    const expected = ['link', 'makeFolder', 'open', 'remove', 'removeTree', 'rename', 'sync', 'syncFolder', 'write']
    expect([...kinds].sort()).toEqual(['datasync', ...expected])
    for (let point = 1; point <= whole.calls.length; point++) {
      for (const lasting of [false, true]) {
        const disk = memoryDisk()
        // A full disk can still truncate files.
        disk.before = (call, n) =>
          n === point || (lasting && n > point && !call.startsWith('truncate'))
            ? { taken: 20, error: diskError(code) }
            : undefined
        const { acknowledged, world } = await run(disk, scenario, { durable })
        if (world !== undefined) expect([point, world]).toEqual([point, states[acknowledged]])
        expect([point, await recovered(disk.afterKill())]).toEqual([point, states[acknowledged]])
      }
    }
  },
)

/** Returns the number of whole lines in the first `end` bytes. A line whose newline is missing counts. */
function wholeLines(bytes: Buffer, end: number): number {
  return (
    bytes
      .subarray(0, end + 1)
      .toString('latin1')
      .split('\n').length - 1
  )
}

async function countCalls(scenario: Scenario, durable = false): Promise<number> {
  const disk = memoryDisk()
  await run(disk, scenario, { durable })
  return disk.calls.length
}

/** Runs the scenario until the disk fails. Returns the number of acknowledged commits and the rows in memory. */
async function run(disk: Disk, scenario: Scenario, options: { durable?: boolean; stay?: boolean } = {}) {
  const open = () => store(FOLDER, { fs: disk.port, pidNamespace, ...(options.durable && { durable: true }) })
  let acknowledged = 0
  let opened: Store | undefined
  try {
    opened = await open()
    for (const [i, commit] of scenario.commits.entries()) {
      if (scenario.restarts.includes(i)) {
        await opened.close()
        opened = await open()
      }
      if (scenario.checkpoints.includes(i)) await opened.checkpoint()
      await applyTo(opened, commit)
      acknowledged++
    }
    if (options.stay !== true) await opened.close()
  } catch {}
  return { acknowledged, world: opened && contents(opened.world) }
}

async function recovered(disk: Disk): Promise<unknown> {
  const opened = await store(FOLDER, { fs: markKilled(disk).port, pidNamespace })
  const found = contents(opened.world)
  await opened.close()
  return found
}

/** Makes the disk look as if the process with the lock had been killed. */
function markKilled(disk: Disk): Disk {
  disk.port.makeFolder(FOLDER)
  for (const name of new Set(['lock', ...disk.port.list(FOLDER)])) {
    if (name.startsWith('lock')) rewrite(disk, `${FOLDER}/${name}`, Buffer.from(DEAD_LOCK))
  }
  return disk
}

function rewrite(disk: Disk, path: string, bytes: Uint8Array): void {
  const fd = disk.port.open(path, 'w')
  if (bytes.length > 0) disk.port.write(fd, bytes)
  disk.port.sync(fd)
  disk.port.close(fd)
}
