import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { openWithProgress } from '../../../src/cli/input/read-with-progress.ts'
import type { Session } from '../../../src/cli/session.ts'

const updates: number[] = []
vi.mock('../../../src/cli/output/progress.ts', () => ({
  startCount: async () => ({ update: (done: number) => updates.push(done), stop() {} }),
}))
vi.mock('../../../src/cli/input/read-input.ts', () => ({
  openInput: () => ({ size: undefined, pieces: Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(2 ** 18))) }),
}))

test('the progress bar moves only when another MiB was read, so that it can compute the remaining time', async () => {
  const { pieces } = await openWithProgress('-', {} as Session)
  let bytes = 0
  for await (const piece of pieces) bytes += piece.length
  expect(bytes).toBe(9 * 2 ** 18)
  expect(updates).toEqual([1, 2])
})
