import { expect, test } from 'vitest'
import { renameWithRetry } from '../../../src/store/folder/file-system.ts'
import { diskError } from '../memory-disk.ts'

test.each(['EPERM', 'EACCES', 'EBUSY'])('a rename on Windows is retried while the target is in use (%s)', (code) => {
  expect(tries({ platform: 'win32', code, failures: 7 })).toEqual({ renames: 8, pauses: 7, error: undefined })
})

test('a rename on Windows fails after half a second if the target stays in use', () => {
  expect(tries({ platform: 'win32', code: 'EPERM', failures: 99 })).toEqual({ renames: 20, pauses: 19, error: 'EPERM' })
})

test.each([
  ['linux', 'EPERM'],
  ['win32', 'ENOSPC'],
])('a rename on %s fails at once with %s', (platform, code) => {
  expect(tries({ platform, code, failures: 1 })).toEqual({ renames: 1, pauses: 0, error: code })
})

function tries({ platform, code, failures }: { platform: string; code: string; failures: number }) {
  let [renames, pauses] = [0, 0]
  const rename = () => {
    if (++renames <= failures) throw diskError(code)
  }
  let error: string | undefined
  try {
    renameWithRetry('a', 'b', { rename, platform, pause: () => void pauses++ })
  } catch (thrown) {
    error = (thrown as { code: string }).code
  }
  return { renames, pauses, error }
}
