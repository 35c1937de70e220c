import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { counted } from '../../../src/cli/input/read-with-progress.ts'

test('the progress bar moves only when another MiB was read, so that it can compute the remaining time', async () => {
  const updates: number[] = []
  const quarters = Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(2 ** 18)))
  let bytes = 0
  for await (const piece of counted(quarters, { update: (done) => void updates.push(done) })) bytes += piece.length
  expect(bytes).toBe(9 * 2 ** 18)
  expect(updates).toEqual([1, 2])
})
