// The commands in docs/guides/clock.md that move the clock back have the documented effect.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDir, startTestServer, type TestServer } from '../cli/helpers.ts'

const PAGE = readFileSync(new URL('../../docs/guides/clock.md', import.meta.url), 'utf8')
const START = '2030-01-01T00:00:00.000Z'
const files = createTestDir()
const FILE = join(files.path, 'state.json')
let testServer: TestServer

beforeAll(async () => {
  testServer = await startTestServer({ clock: { mode: 'frozen' } })
  await run(`clock freeze ${START}`)
  await run('store snapshot before')
  await run(`store export ${FILE}`)
})
beforeEach(async () => {
  await run('store restore before')
  await run('clock advance 20m')
})
afterAll(async () => {
  await testServer.close()
  files.remove()
})

async function run(line: string) {
  const { code, stdout, stderr } = await testServer.psp(`${line} --json`)
  expect(code, stderr).toBe(0)
  return stdout === '' ? {} : JSON.parse(stdout)
}
const row = (command: string) => PAGE.split('\n').find((line) => line.startsWith(`| \`${command}`))

describe('moving the clock back', () => {
  test('`clock freeze` rejects an earlier time and suggests a snapshot', async () => {
    const { code, stderr } = await testServer.psp(`clock freeze ${START}`)
    expect(code).toBe(5)
    expect(stderr).toMatch(/is 20 min earlier than .* restoring a snapshot/)
    expect(PAGE).not.toMatch(/never goes back/)
  })

  test.each([
    ['psp store restore NAME', 'store restore before'],
    ['psp store import FILE', `store import ${FILE}`],
  ])('`%s` restores the time of the state', async (shown, command) => {
    await run(command)
    expect(await run('clock')).toMatchObject({ mode: 'frozen', now: START })
    expect(row(shown)).toContain('continues from the time')
  })

  test('`psp store reset --all` returns to the real clock', async () => {
    await run('store reset --all')
    const { mode, now } = await run('clock')
    expect([mode, now < START]).toEqual(['real', true])
    expect(row('psp store reset --all')).toContain('real again')
  })

  test('`psp store reset` does not change the time', async () => {
    await run('store reset')
    expect(await run('clock')).toMatchObject({ mode: 'frozen', now: '2030-01-01T00:20:00.000Z' })
    expect(row('psp store reset`')).toContain('is unchanged')
  })
})
