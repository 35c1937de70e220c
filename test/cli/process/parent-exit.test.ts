// A command under npm ends with npm. A server ends with its parent if --exit-with-parent is set.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Command } from '../../../src/cli/command.ts'
import { COMMANDS } from '../../../src/cli/commands/index.ts'
import { parentTie, watchParent } from '../../../src/cli/process/parent-exit.ts'
import { manualSystemClock } from '../../time/manual-system-clock.ts'
import { createTestDir, psp, startPsp, waitUntil } from '../helpers.ts'

const named = (name: string) => COMMANDS.commands.find((entry) => entry.name === name) as Command

test.each([
  ['serve', 'exec', false, 'npm'],
  ['exec', 'run-script', false, 'npm'],
  // `psp serve &` in a script outlives the script.
  ['serve', 'run-script', false, undefined],
  ['exec', undefined, false, undefined],
  ['banks', 'exec', false, undefined],
  ['serve', undefined, true, 'asked'],
  ['serve', 'run-script', true, 'asked'],
  ['exec', undefined, true, 'asked'],
  ['exec', 'run-script', true, 'asked'],
  // A terminal ends its commands itself, so these ignore the flag.
  ['listen', undefined, true, undefined],
  ['tail', undefined, true, undefined],
  ['ui', undefined, true, undefined],
] as const)(
  '%j is tied to its parent as its npm_command %s and exit_with_parent %s say',
  (command, npm, asked, tie) => {
    expect(parentTie(named(command), { exit_with_parent: asked }, { npm_command: npm })).toBe(tie)
  },
)

test('the end of the parent is noticed once, and not after the watch was cancelled', async () => {
  const systemClock = manualSystemClock()
  let parent = 7
  let gone = 0
  const watch = watchParent({ parent: { first: 7, now: () => parent }, systemClock }, 'npm', () => void gone++)
  const cancelled = watchParent({ parent: { first: 7, now: () => parent }, systemClock }, 'asked', () =>
    expect.unreachable(),
  )
  cancelled.cancel()
  await systemClock.advance(5000)
  expect(gone).toBe(0)
  parent = 1
  await systemClock.advance(5000)
  expect(gone).toBe(1)
  watch.cancel()
  expect(systemClock.waiting()).toBe(0)
})

test('a command under npm continues if the system does not report its parent', async () => {
  const systemClock = manualSystemClock()
  watchParent({ systemClock }, 'npm', () => expect.unreachable())
  expect(systemClock.waiting()).toBe(0)
})

let folder: ReturnType<typeof createTestDir>
beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

test.each<[string, readonly string[], Record<string, string>]>([
  ['the flag', ['--exit-with-parent'], {}],
  ['the variable', [], { PSP_EXIT_WITH_PARENT: 'true' }],
])('`psp serve` with %s ends with 0 once its parent has ended', async (_, flags, env) => {
  let parent = 7
  const options = { cwd: folder.path, env, parent: () => parent }
  const server = startPsp(['serve', '--port', '0', ...flags], options)
  await waitUntil(() => server.errors().includes('PSP_URL'))
  parent = 1
  expect(await server.ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('parent process of psp has ended'),
  })
  expect(readdirSync(join(folder.path, '.psp'))).not.toContain('lock')
})

test('`psp serve` with the flag ends if its parent ended while it was starting', async () => {
  let asked = 0
  const parent = () => (asked++ === 0 ? 7 : 1)
  const server = startPsp(['serve', '--port', '0', '--exit-with-parent'], { cwd: folder.path, parent })
  expect((await server.ended).code).toBe(0)
})

test('`psp serve` without the flag outlives its parent', async () => {
  let asked = 0
  const parent = () => (asked++ === 0 ? 7 : 1)
  const server = startPsp(['serve', '--port', '0', '--json'], { cwd: folder.path, parent })
  await waitUntil(() => server.output().includes('"ready"'))
  expect(asked).toBeLessThanOrEqual(1)
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(0)
})

test('`psp serve` refuses the flag if the system does not report the parent', async () => {
  const refused = await psp('serve --port 0 --exit-with-parent', { cwd: folder.path })
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--exit-with-parent') })
})
