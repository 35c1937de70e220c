import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { counted, explainFileChange } from '../../../src/cli/input/read-with-progress.ts'
import { RecordingError } from '../../../src/recordings/recording-error.ts'

test('the progress bar moves only when another MiB was read, so that it can compute the remaining time', async () => {
  const updates: number[] = []
  const quarters = Readable.from(Array.from({ length: 9 }, () => Buffer.alloc(2 ** 18)))
  let bytes = 0
  for await (const piece of counted(quarters, { update: (done) => void updates.push(done) })) bytes += piece.length
  expect(bytes).toBe(9 * 2 ** 18)
  expect(updates).toEqual([1, 2])
})

test('an error in a recording that was changed while it was read reports the change', () => {
  const error = new RecordingError('a.har is incomplete.', 'Export it again.')
  expect(explainFileChange(error, 'a.har', { isChanged: () => false })).toBe(error)
  expect(explainFileChange(error, 'a.har', { isChanged: () => true })).toMatchObject({
    message: 'a.har was changed while psp read it. a.har is incomplete.',
    hint: 'Wait until the program that writes the file has ended, or use a copy of the file.',
  })
})
