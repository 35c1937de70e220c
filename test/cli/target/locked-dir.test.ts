import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assembleSandbox } from '../../../src/sandbox.ts'
import { createTestDir, psp } from '../helpers.ts'

test('a data directory of a process without a server is refused, and not waited for', async () => {
  const dir = createTestDir()
  const sandbox = await assembleSandbox({ folder: join(dir.path, '.psp') })
  onTestFinished(async () => {
    await sandbox.close()
    dir.remove()
  })
  const { code, stderr } = await psp('payments create --amount 100', { cwd: dir.path })
  expect([code, stderr]).toEqual([9, expect.stringContaining(`is in use by process ${process.pid}.`)])
})
