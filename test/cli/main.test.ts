// An error before the program runs is printed in the format that the arguments ask for.
import { afterEach, expect, test, vi } from 'vitest'
import { main, type Program } from '../../src/cli/main.ts'

const exitCode = process.exitCode
afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = exitCode
})

/** Runs a command in a working directory that has been removed. Returns its exit code and its text on stderr. */
async function runWithoutDirectory(argv: readonly string[]) {
  let text = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += String(part)
    return true
  })
  const program: Program = {
    nodeHost() {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' })
    },
    runProgram: () => Promise.reject(new Error('not reached')),
  }
  await main(argv, process.ppid, async () => program)
  const code = process.exitCode
  process.exitCode = exitCode
  return { code, text }
}

const MESSAGE = 'The working directory does not exist any more.'
const HINT = 'Change to another directory and run the command again.'

test.each([[['payments', 'list', '--json']], [['-j', 'payments', 'list']]])('the error of %j is JSON', async (argv) => {
  const { code, text } = await runWithoutDirectory(argv)
  expect([code, JSON.parse(text)]).toEqual([1, { error: { code: 'no_folder', message: MESSAGE, hint: HINT } }])
})

test.each([[['payments', 'list']], [['exec', '--', 'npm', 'test', '--json']], [['payments', 'get', '--jsonx']]])(
  'the error of %j is text',
  async (argv) => {
    expect(await runWithoutDirectory(argv)).toEqual({ code: 1, text: `error ${MESSAGE}\n${HINT}\n` })
  },
)
