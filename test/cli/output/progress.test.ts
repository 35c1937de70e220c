// Progress is shown only on a terminal, on stderr.
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDir, type RunOptions, startTestServer, type TestServer, waitUntil } from '../helpers.ts'

let testServer: TestServer
let folder: ReturnType<typeof createTestDir>

beforeAll(async () => {
  folder = createTestDir()
  testServer = await startTestServer()
  await testServer.psp('payments create --amount 100 --count 30')
  await testServer.psp('store snapshot before')
  await testServer.psp('store export state.json', { cwd: folder.path })
})
afterAll(async () => {
  await testServer.close()
  folder.remove()
})

/** Long commands with the text of their progress. */
const LONG = [
  ['store export out.json --force', /[█░]+ \d+\/\d+ rows {2}\d+ s left/],
  ['store import state.json', /[█░]+ \d+\/\d+ KB {2}\d+ s left/],
  ['store snapshot other', /saving other {2}\d+ s/],
  ['store restore before', /restoring before {2}\d+ s/],
  ['payments create --amount 100 --count 30', /[█░]+ \d+\/30 payments {2}\d+ s left/],
] as const

const inFolder = (options: RunOptions) => ({ cwd: folder.path, ...options })
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const DRAWN = /[█░\u001b]| s left/

describe.each(LONG)('%s', (line, bar) => {
  test('a long command shows its progress on a terminal and clears it at the end', async () => {
    const { code, stdout, stderr } = await testServer.psp(line, inFolder({ terminal: true }))
    expect(code).toBe(0)
    expect(stripVTControlCharacters(stderr)).toMatch(bar)
    expect(stdout).not.toMatch(/[█░]/)
    // The line is cleared and the cursor is shown.
    expect(stderr.lastIndexOf('\u001b[2K')).toBeGreaterThan(stderr.search(/ s left|\d s/))
    expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stderr.lastIndexOf('\u001b[?25l'))
  })

  test.each([
    ['in a pipe', [], {}],
    ['with --json', ['--json'], { terminal: true }],
    ['with --quiet', ['--quiet'], { terminal: true }],
    ['if TERM is dumb', [], { terminal: true, env: { TERM: 'dumb' } }],
    ['in a CI job', ['--color', 'never'], { terminal: true, env: { CI: 'true' } }],
  ] as const)('a long command shows no progress %s', async (_, flags, options) => {
    const { code, stdout, stderr } = await testServer.psp([...line.split(' '), ...flags], inFolder(options))
    expect(code).toBe(0)
    expect(stdout + stderr).not.toMatch(DRAWN)
  })
})

test('the progress of an export ends with the number of rows', async () => {
  const { stderr } = await testServer.psp('store export out.json --force', inFolder({ terminal: true }))
  const [, done, total] = [...stripVTControlCharacters(stderr).matchAll(/(\d+)\/(\d+) rows/g)].at(-1) ?? []
  expect(Number(done)).toBeGreaterThan(30)
  expect(done).toBe(total)
})

test('an export to the terminal shows no progress in its text', async () => {
  const { stdout, stderr } = await testServer.psp('store export -', { terminal: true })
  expect(JSON.parse(stdout)).toHaveProperty('tables')
  expect(stderr).toBe('')
})

test('an interrupted command shows the cursor again', async () => {
  const running = testServer.startPsp(['payments', 'create', '--amount', '100', '--count', '100000'], {
    terminal: true,
  })
  await waitUntil(() => running.errors().includes('payments'))
  running.signal('SIGINT')
  const { code, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stderr.lastIndexOf('\u001b[?25l'))
})
