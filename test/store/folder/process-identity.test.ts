import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive, processStartId, processStartTime } from '../../../src/store/folder/process-identity.ts'

test('the current process is alive, and impossible pids are dead', async () => {
  expect(isAlive(process.pid, processStartId(process.pid))).toBe(true)
  for (const pid of [0, -1, 1.5, 999_999_999, Number.NaN]) expect(isAlive(pid, undefined)).toBe(false)
})

test.skipIf(processStartTime(process.pid) === undefined)(
  'a process without a known id is another one if it started later',
  async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill())
    await once(other, 'spawn')
    const pid = other.pid as number
    const startTime = processStartTime(pid) as number
    expect(isAlive(pid, undefined, startTime + 1000)).toBe(true)
    expect(isAlive(pid, undefined, startTime - 60_000)).toBe(false)
    expect(isAlive(pid, undefined)).toBe(true)
  },
)

test('a process that has exited is dead', async () => {
  const other = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  await once(other, 'exit')
  expect(isAlive(other.pid as number, undefined)).toBe(false)
})
