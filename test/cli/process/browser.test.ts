// A program that opens urls and fails, as xdg-open does where there is no browser.
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { launchFailure } from '../../../src/cli/process/browser.ts'

/** Time passes when the test says so. */
function stoppedSystemClock() {
  const due: (() => void)[] = []
  const systemClock = {
    setTimeout(run: () => void) {
      due.push(run)
      return { cancel() {} }
    },
  }
  return { systemClock, pass: () => due.splice(0).forEach((run) => void run()) }
}

const opener = (script: string) => spawn(process.execPath, ['-e', script], { stdio: 'ignore' })

test('its exit code is told', async () => {
  const why = await launchFailure(opener('process.exit(3)'), stoppedSystemClock().systemClock as never)
  expect(why).toMatch(/^node\S* exited with 3\.$/)
})

test('one that did its work is no failure, and neither is one that has ended before', async () => {
  const done = opener('')
  expect(await launchFailure(done, stoppedSystemClock().systemClock as never)).toBeUndefined()
  expect(await launchFailure(done, stoppedSystemClock().systemClock as never)).toBeUndefined()
})

test('one that stays is the browser itself: it is not waited for', async () => {
  const staying = opener('setInterval(() => {}, 1000)')
  const { systemClock, pass } = stoppedSystemClock()
  const found = launchFailure(staying, systemClock as never)
  pass()
  expect(await found).toBeUndefined()
  staying.kill()
})
