// On a terminal of 20 to 24 columns, only single words are wider than the terminal, such as ids, URLs and spellings of options.
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wrapBlock, wrapProse } from '../../../src/cli/output/lines.ts'
import { closeHandlers, createTestDir, psp, serveHandler, startTestServer, type TestServer } from '../helpers.ts'

const folder = createTestDir()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  closeHandlers()
  folder.remove()
  await server.close()
})

const WIDTHS = [20, 22, 24]

/** Returns the lines of prose that are too long. Commands stay in one line, so that they can be copied. */
function wideLines(text: string, columns: number): string[] {
  const lines = stripVTControlCharacters(text).split('\n')
  expect(text.split('\n').length, text).toBeGreaterThan(5)
  return lines.filter((line) => line.length > columns && /\S {1,2}\S/.test(line) && !/^ *(psp |-)/.test(line))
}

test.each(
  ['', '--help', 'compare --help', 'store --help', 'record --help', 'webhooks --help'].flatMap((line) =>
    WIDTHS.map((columns) => [line, columns] as const),
  ),
)('`psp %s` prints no prose that is wider than %d columns', async (line, columns) => {
  const { stdout } = await psp(line, { terminal: true, columns, cwd: folder.path })
  expect(wideLines(stdout, columns)).toEqual([])
})

test.each(WIDTHS)('`psp doctor` and `psp logs` print no prose that is wider than %d columns', async (columns) => {
  await server.psp(['request', 'POST', '/v1/public/payments', '-d', '{}'])
  await server.psp(['request', 'POST', '/v1/public/payouts', '-d', '{}'])
  for (const line of ['doctor', 'logs']) {
    const { stdout } = await server.psp(line, { terminal: true, columns, cwd: folder.path })
    expect(wideLines(stdout, columns)).toEqual([])
  }
})

test.each(WIDTHS)('a dry run prints no remark that is wider than %d columns', async (columns) => {
  const line = 'trigger double-delivery --dry-run'
  const { stdout } = await server.psp(line, { terminal: true, columns, cwd: folder.path })
  expect(wideLines(stdout, columns)).toEqual([])
})

test.each(WIDTHS)('`psp audit` prints no prose that is wider than %d columns', async (columns) => {
  const url = await serveHandler((_, response) => response.writeHead(500).end())
  const { stdout, code } = await psp(`audit ${url} --only valid,duplicates --strict`, {
    terminal: true,
    columns,
    cwd: folder.path,
  })
  expect(code).toBe(8)
  expect(wideLines(stdout, columns)).toEqual([])
})

test('text is next to its label if there is room, and otherwise below it with a shorter indent', () => {
  expect(wrapProse('one two three four', 28, '  label     ')).toBe('  label     one two three\n            four')
  expect(wrapProse('one two three four', 20, '  label     ')).toBe('  label\n    one two three\n    four')
  expect(wrapBlock('abcdefghijklmnopqrst', 20, ' '.repeat(14))).toEqual(['    abcdefghijklmnop', '    qrst'])
})

test.each(['--help', 'logs', 'doctor', 'payments get 00000000-0000-4000-8000-000000000000'])(
  '`psp %s` uses 80 columns on a terminal that reports 0 columns',
  async (line) => {
    await server.psp(['request', 'POST', '/v1/public/payments', '-d', '{}'])
    // The log would also list the requests of this command.
    const shown = async (columns: number) => {
      const { stdout, stderr } = await server.psp(line, { terminal: true, columns, cwd: folder.path })
      return (stdout + stderr).split('\n').map((row) => stripVTControlCharacters(row).length)
    }
    expect(Math.max(...(await shown(0)))).toBeGreaterThan(40)
    expect(Math.max(...(await shown(0)))).toBe(Math.max(...(await shown(80))))
  },
)
