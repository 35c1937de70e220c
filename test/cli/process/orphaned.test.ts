// A command under npm notices that its npm is gone.
import { expect, test } from 'vitest'
import { watchParent } from '../../../src/cli/process/orphaned.ts'
import { manualWall } from '../../time/manual-wall.ts'

test.each([
  ['exec', false, true],
  ['run-script', true, true],
  // `psp serve &` in a script outlives the script.
  ['run-script', false, false],
  [undefined, true, false],
] as const)('npm_command %s, of scripts %s: ends %s', async (npm_command, ofScripts, ends) => {
  const wall = manualWall()
  let parent = 7
  let gone = 0
  const env = { npm_command }
  const watch = watchParent({ env, parent: () => parent, wall }, ofScripts, () => void gone++)
  await wall.advance(5000)
  expect(gone).toBe(0)
  parent = 1
  await wall.advance(5000)
  expect(gone).toBe(ends ? 1 : 0)
  watch.cancel()
  expect(wall.waiting()).toBe(0)
})

test('once it is cancelled, or where the system does not say, nothing is noticed', async () => {
  const wall = manualWall()
  let parent = 7
  const gone = () => expect.unreachable()
  watchParent({ env: { npm_command: 'exec' }, parent: () => parent, wall }, true, gone).cancel()
  watchParent({ env: { npm_command: 'exec' }, wall }, true, gone)
  parent = 1
  await wall.advance(5000)
})
