import { expect, test } from 'vitest'
import { renameWithRetry } from '../../../src/store/folder/rename-with-retry.ts'
import { diskError } from '../memory-disk.ts'

test.each(['EPERM', 'EACCES', 'EBUSY'])('Windows: a target that is held (%s) is asked for again', (code) => {
  expect(tries({ platform: 'win32', code, held: 7 })).toEqual({ renames: 8, pauses: 7, error: undefined })
})

test('Windows: one that is held for good is told of after half a second', () => {
  expect(tries({ platform: 'win32', code: 'EPERM', held: 99 })).toEqual({ renames: 20, pauses: 19, error: 'EPERM' })
})

test.each([
  ['linux', 'EPERM'],
  ['win32', 'ENOSPC'],
])('%s: %s is an error at once', (platform, code) => {
  expect(tries({ platform, code, held: 1 })).toEqual({ renames: 1, pauses: 0, error: code })
})

function tries({ platform, code, held }: { platform: string; code: string; held: number }) {
  let [renames, pauses] = [0, 0]
  const rename = () => {
    if (++renames <= held) throw diskError(code)
  }
  let error: string | undefined
  try {
    renameWithRetry('a', 'b', { rename, platform, pause: () => void pauses++ })
  } catch (thrown) {
    error = (thrown as { code: string }).code
  }
  return { renames, pauses, error }
}
