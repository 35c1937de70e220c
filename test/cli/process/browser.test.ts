// The browser that commands open, and the language of its page.
import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { inLanguage, launchFailure } from '../../../src/cli/process/browser.ts'
import { psp } from '../helpers.ts'

/** Returns a clock whose timers fire when the test calls `pass`. */
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

test('the exit code of an opener that fails is reported', async () => {
  const why = await launchFailure(opener('process.exit(3)'), stoppedSystemClock().systemClock as never)
  expect(why).toMatch(/^node\S* exited with 3\.$/)
})

test('an opener that succeeds is not a failure, even if it ended before the check', async () => {
  const done = opener('')
  expect(await launchFailure(done, stoppedSystemClock().systemClock as never)).toBeUndefined()
  expect(await launchFailure(done, stoppedSystemClock().systemClock as never)).toBeUndefined()
})

test('an opener that keeps running is not waited for', async () => {
  const staying = opener('setInterval(() => {}, 1000)')
  const { systemClock, pass } = stoppedSystemClock()
  const found = launchFailure(staying, systemClock as never)
  pass()
  expect(await found).toBeUndefined()
  staying.kill()
})

const PAGE = 'http://127.0.0.1:7770/pay/00000000-0000-4000-8000-000000000000'

test('the address of the page contains the language of --lang, and without the flag no language', () => {
  expect(inLanguage(PAGE, 'ru')).toBe(`${PAGE}?lang=ru`)
  expect(inLanguage(PAGE, undefined)).toBe(PAGE)
})

test.each([
  ['payments create --amount 100 --lang ru', '--open'],
  ['payments create --amount 100 --open --lang fr', '"fr"'],
  ['payments open ID --lang fr', '"fr"'],
  ['payments get ID --lang ru', '--lang'],
])('psp %s is wrong usage', async (line, said) => {
  const { code, stderr } = await psp(line.split(' '))
  expect(code).toBe(2)
  expect(stderr).toContain(said)
})
