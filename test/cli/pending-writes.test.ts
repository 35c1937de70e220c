import { expect, test } from 'vitest'
import { createPendingWrites } from '../../src/cli/commands/record/pending-writes.ts'
import { deferred } from '../../src/domain/promises.ts'
import type { RecordedExchange } from '../../src/recordings/exchange.ts'

const exchange = (bytes: number): RecordedExchange => ({
  startedAt: 0,
  ms: 1,
  method: 'POST',
  url: 'https://api.example/',
  request: { headers: [], body: { bytes: Buffer.alloc(bytes), length: bytes } },
})

test('exchanges above the limit of waiting writes are lost, and the first loss is reported', async () => {
  const disk = deferred()
  const losses: unknown[] = []
  const writes = createPendingWrites({
    write: () => disk.promise,
    limit: 100,
    onFirstLoss: (error) => losses.push(error),
  })
  for (const size of [60, 40, 1, 1]) writes.add(exchange(size))
  expect([writes.count(), writes.lost()]).toEqual([0, 2])
  disk.resolve()
  await writes.settled()
  writes.add(exchange(1))
  await writes.settled()
  expect([writes.count(), writes.lost()]).toEqual([3, 2])
  expect(losses).toEqual([new Error('the disk is too slow for this traffic')])
})

test('an exchange that is larger than the limit is written if no other exchange waits', async () => {
  const writes = createPendingWrites({ write: async () => {}, limit: 100, onFirstLoss: () => expect.unreachable() })
  writes.add(exchange(1000))
  await writes.settled()
  expect([writes.count(), writes.lost()]).toEqual([1, 0])
})

test('a failed write is counted, and later exchanges are written', async () => {
  const losses: unknown[] = []
  let fails = true
  const writes = createPendingWrites({
    write: async () => {
      if (fails) throw new Error('full')
    },
    limit: 100,
    onFirstLoss: (error) => losses.push(error),
  })
  writes.add(exchange(1))
  writes.add(exchange(1))
  await writes.settled()
  fails = false
  writes.add(exchange(1))
  await writes.settled()
  expect([writes.count(), writes.lost(), losses]).toEqual([1, 2, [new Error('full')]])
})
