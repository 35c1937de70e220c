// Ctrl-C, the progress line and the saved files of `psp audit --explore`.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { CORRECT_HANDLERS } from '../../explore/handlers/correct.ts'
import { createNamed, type Handler } from '../../explore/handlers/handler.ts'
import { PLANTED_BUGS } from '../../explore/handlers/planted-bugs.ts'
import { serveShop } from '../../explore/handlers/serve-shop.ts'
import { closeHandlers, createTestDir, psp, type RunOptions, startPsp } from '../helpers.ts'

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})

/** With this seed, the first case shows the bug of this file with few messages. */
const FLAGS = ['--probe', 'orders/{order_id}', '--probe', 'balance', '--probe-settle', '1ms', '--seed', '8']
/** Ends after the first case. */
const SHORT = ['--lanes', '1', '--deliveries', '20']
const argsFor = (url: string, ...flags: readonly string[]) => [
  'audit',
  `${url}/hooks`,
  '--explore',
  '60s',
  ...FLAGS,
  ...flags,
]

/** Counts the events, and calls `at` before each. */
function counting(handler: Handler, at: (count: number) => void): Handler {
  let count = 0
  return {
    ...handler,
    async handle(event) {
      at(++count)
      return await handler.handle(event)
    },
  }
}

describe('an exploration that is interrupted while it shrinks a finding', () => {
  const bug = () => createNamed(PLANTED_BUGS, 'shows a part refund')
  const flags = [...SHORT, '--json']

  test('reports it in JSON, JUnit, HTML and a file, and says that it is not shrunk', async () => {
    // An uninterrupted search with the same seed shows when the shrinking takes place.
    let sent = 0
    let shrunkAt = 0
    const whole = startPsp(
      argsFor(
        await serveShop(
          counting(bug(), (count) => {
            sent = count
            if (shrunkAt === 0 && whole.output().includes('"finding"')) shrunkAt = count - 1
          }),
        ),
        ...flags,
      ),
      { cwd: folder.path },
    )
    const { shrinking } = JSON.parse((await whole.ended).stdout.trim().split('\n').at(-1) ?? '')
    const middle = (shrunkAt === 0 ? sent : shrunkAt) - Math.floor(shrinking / 2)

    const reports = ['--junit', 'cut.xml', '--html', 'cut.html', '--save', 'cut']
    const running = startPsp(
      argsFor(
        await serveShop(
          counting(bug(), (count) => {
            if (count === middle) running.signal('SIGINT')
          }),
        ),
        ...flags,
        ...reports,
      ),
      { cwd: folder.path },
    )
    const { code, stdout } = await running.ended
    expect(code).toBe(8)
    const [finding, summary, ...more] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(finding).toMatchObject({ type: 'finding', id: 'truth', shrunk: false, file: join('cut', '1.json') })
    expect(summary).toMatchObject({ type: 'summary', findings: 1, end: 'interrupted' })
    expect(more).toEqual([])
    const note = 'The case was not fully shrunk, so a smaller one may exist.'
    const junit = readFileSync(join(folder.path, 'cut.xml'), 'utf8')
    expect(junit).toMatch(/tests="8" failures="2"/)
    expect(junit).toContain(note)
    expect(readFileSync(join(folder.path, 'cut.html'), 'utf8')).toContain(note)
    expect(readFileSync(join(folder.path, 'cut', '1.json'), 'utf8')).toContain(finding.title)
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'an exploration that %s interrupts before a story is finished does not pass in JUnit and HTML',
  async (name, exit) => {
    const handler = createNamed(CORRECT_HANDLERS, 'merges')
    const url = await serveShop(counting(handler, (count) => count === 2 && running.signal(name)))
    const reports = ['--junit', `${name}.xml`, '--html', `${name}.html`]
    const running = startPsp(argsFor(url, ...reports), { cwd: folder.path })
    expect((await running.ended).code).toBe(exit)
    const junit = readFileSync(join(folder.path, `${name}.xml`), 'utf8')
    expect(junit).toMatch(/tests="8" failures="1" errors="0" skipped="7"/)
    expect(junit).toContain('runs to completion')
    expect(junit).toContain(`ended by ${name}`)
    expect(junit).toContain('0 stories in 2 deliveries')
    expect(readFileSync(join(folder.path, `${name}.html`), 'utf8')).toContain(`ended by ${name}`)
  },
)

test('an exploration that is interrupted sends nothing more, says that it stops, and counts what was sent', async () => {
  const handler = createNamed(CORRECT_HANDLERS, 'merges')
  let sent = 0
  const url = await serveShop(
    counting(handler, (count) => {
      sent = count
      if (count === 3) running.signal('SIGINT')
    }),
  )
  const running = startPsp(argsFor(url), { cwd: folder.path })
  const { code, stdout, stderr } = await running.ended
  expect(code).toBe(130)
  expect(stderr).toContain('Stopping. Press Ctrl-C again to stop at once.')
  expect(stdout).toContain('0 findings in 0 stories and 3 deliveries, seed 8')
  // A later message would be sent as soon as the handler has responded to this one.
  await psp(argsFor(await serveShop(createNamed(CORRECT_HANDLERS, 'merges')), ...SHORT), { cwd: folder.path })
  expect(sent).toBe(3)
})

test('an exploration with --save keeps earlier files, and names the file that already has the same finding', async () => {
  const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
  const search = async () => await psp(argsFor(url, ...SHORT, '--save', 'kept'), { cwd: folder.path })
  await search()
  const saved = join(folder.path, 'kept', '1.json')
  const first = readFileSync(saved, 'utf8')
  expect((await search()).stdout).toContain('--replay kept/1.json')
  writeFileSync(saved, 'the finding of another search')
  const { stdout } = await search()
  expect(stdout).toContain('--replay kept/2.json')
  expect(readFileSync(saved, 'utf8')).toBe('the finding of another search')
  expect(readFileSync(join(folder.path, 'kept', '2.json'), 'utf8')).toBe(first)
  expect(readdirSync(join(folder.path, 'kept'))).toEqual(['1.json', '2.json'])
})

describe('the progress line of an exploration', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what separates the drawn lines
  const CONTROL = /\u001b\[[0-9;?]*[A-Za-z]|[\r\n]/
  const LINE = /\d+ stor(y|ies), \d+ deliver(y|ies) \(\d+\/s\), \d+ situations? reached, \d+ findings? {2}\d+ s/
  const search = async (options: RunOptions, ...flags: readonly string[]) => {
    const url = await serveShop(createNamed(PLANTED_BUGS, 'shows a part refund'))
    return await psp(argsFor(url, ...SHORT, ...flags), { cwd: folder.path, ...options })
  }

  test('shows what was reached on a terminal, and is cleared before a finding and at the end', async () => {
    const { stdout, stderr } = await search({ terminal: true })
    expect(stripVTControlCharacters(stderr)).toMatch(LINE)
    expect(stripVTControlCharacters(stdout)).not.toMatch(LINE)
    expect(stderr.lastIndexOf('\u001b[2K')).toBeGreaterThan(stderr.lastIndexOf('situations'))
    expect(stderr.lastIndexOf('\u001b[?25h')).toBeGreaterThan(stderr.lastIndexOf('\u001b[?25l'))
  })

  test.each([
    [20, /^\d+ findings? {2}\d+ s$/],
    [34, /^\d+ deliver(?:y|ies), \d+ findings? {2}\d+ s$/],
    [46, /^\d+ deliver(?:y|ies) \(\d+\/s\), \d+ findings? {2}\d+ s$/],
    [100, LINE],
  ])('fits in a terminal with %d columns', async (columns, line) => {
    const { stderr } = await search({ terminal: true, columns })
    const shown = stderr.split(CONTROL).filter((text) => text.includes('finding'))
    expect(shown.length).toBeGreaterThan(0)
    for (const text of shown) {
      expect(text).toMatch(line)
      expect(text.length).toBeLessThanOrEqual(columns)
    }
  })

  test.each([
    ['in a pipe', {}, []],
    ['with --json', { terminal: true }, ['--json']],
    ['with --quiet', { terminal: true }, ['--quiet']],
    ['in a CI job', { terminal: true, env: { CI: 'true' } }, ['--color', 'never']],
  ] as const)('is not shown %s', async (_, options, flags) => {
    const { stderr } = await search(options, ...flags)
    expect(stripVTControlCharacters(stderr)).not.toMatch(/\d+ stories,/)
  })
})
