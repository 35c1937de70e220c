// The example of the guide to exploring is what its first command prints.
// `PSP_UPDATE_PAGES=1 npx vitest run --project code test/docs/exploring.test.ts` rewrites the example and the rules.
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { ORACLES } from '../../src/explore/violation.ts'
import { closeHandlers, createTestDir, psp } from '../cli/helpers.ts'
import { CORRECT_HANDLERS } from '../explore/handlers/correct.ts'
import { PLANTED_BUGS } from '../explore/handlers/planted-bugs.ts'
import { serveShop } from '../explore/handlers/serve-shop.ts'

const PAGE = new URL('../../docs/guides/exploring.md', import.meta.url)
const page = () => readFileSync(PAGE, 'utf8')
const RULES = Object.entries(ORACLES)
  .map(([id, { title }]) => `| \`${id}\` | ${title} |`)
  .join('\n')

const folder = createTestDir()
afterAll(() => {
  closeHandlers()
  folder.remove()
})

const named = (part: string) => [...CORRECT_HANDLERS, ...PLANTED_BUGS].find(({ name }) => name.includes(part))

/** Runs a command of the page. Its port becomes that of the handler, and flags keep it short. */
async function run(line: string, handler: string, more: readonly string[]) {
  const url = await serveShop(named(handler)?.create() as never)
  const words = [...line.replace('psp ', '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  const argv = words.map((word) => word.replace(/^3000/, url.replace('http://', '')))
  return await psp([...argv, ...more], { cwd: folder.path })
}

/** The finding. What was reached depends on the speed of the machine. */
const findingOf = (text = '') => text.split('\nReached:')[0]?.trim()
/** The output with the URL and the flags of the page. */
const asOnPage = (text: string) => text.replace(/127\.0\.0\.1:\d+/g, '3000').replaceAll(' --probe-settle 1ms', '')

describe('the guide to exploring', () => {
  test('shows what its first command prints', async () => {
    const [line = ''] = /^psp audit .*$/m.exec(page()) ?? []
    const { code, stdout: printed } = await run(line, 'lets an expired', ['--seed', '1', '--probe-settle', '1ms'])
    expect(code).toBe(8)
    const stdout = asOnPage(printed)
    if (process.env['PSP_UPDATE_PAGES'] !== undefined) {
      const shown = page().replace(/^```text\n[\s\S]*?^```$/m, () => `\`\`\`text\n${stdout.trim()}\n\`\`\``)
      writeFileSync(
        PAGE,
        shown.replace(/(\| rule .*\n\|---\|---\|\n)[\s\S]*?\n\n/, (_, head: string) => `${head}${RULES}\n\n`),
      )
    }
    expect(findingOf(/^```text\n([\s\S]*?)^```$/m.exec(page())?.[1])).toBe(findingOf(stdout))
    expect(page()).toContain(`\n${RULES}\n`)
  })

  test('replays the file of its first command', async () => {
    const line = page().match(/^psp audit .*--replay .*$/m)?.[0] ?? ''
    expect((await run(line, 'lets an expired', ['--probe-settle', '1ms'])).code).toBe(8)
    expect((await run(line, 'merges', ['--probe-settle', '1ms'])).code).toBe(0)
  })
})
