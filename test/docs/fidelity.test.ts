// The commands of the guide to comparing work in order, and its example and tables are what the program prints.
// `PSP_UPDATE_PAGES=1 npx vitest run --project code test/docs/fidelity.test.ts` rewrites the example and the tables.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIFFERENCE_KINDS } from '../../src/recordings/compare/difference.ts'
import { SETTING_RULES } from '../../src/recordings/compare/setting-rules.ts'
import { createTestDir, psp, startPsp, startTestServer, type TestServer, waitUntil } from '../cli/helpers.ts'

const PAGE = new URL('../../docs/guides/fidelity.md', import.meta.url)
const page = () => readFileSync(PAGE, 'utf8')
const COMMANDS = [...page().matchAll(/^psp .*$/gm)].map(([line]) => line)

const KINDS = table('kind', 'meaning', Object.entries(DIFFERENCE_KINDS))
const SETTINGS = table(
  'setting',
  'what it changes',
  SETTING_RULES.map(({ setting, changes }) => [setting, changes]),
)

function table(first: string, second: string, rows: readonly (readonly [string, string])[]): string {
  return [`| ${first} | ${second} |`, '|---|---|', ...rows.map(([name, text]) => `| \`${name}\` | ${text} |`)].join(
    '\n',
  )
}

/** Ids and times differ in each run. A payment expires a day after it is created. */
const masked = (text: string) =>
  text
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, '3f2a9c1e-0b5d-4c57-9a53-0c1d2e3f4a5b')
    .replace(
      /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g,
      (_, fraction = '') => `2026-05-06T12:00:00${fraction.replace(/\d/g, '0')}Z`,
    )
    .replace(/^.*payment\.expires_at.*$/gm, (line) => line.replaceAll('2026-05-06', '2026-05-07'))
    .trim()

const folder = createTestDir()
let real: TestServer
beforeAll(async () => {
  real = await startTestServer({
    settings: { naming: 'shop', time_fraction: 0, 'delays.session': '0s', 'delays.bank': '0s' },
  })
})
afterAll(async () => {
  await real.close()
  folder.remove()
})

/** A short session of a shop. */
async function sendTraffic(url: string): Promise<void> {
  const { api_key } = real.sandbox.defaultShop()
  const headers = { Authorization: `Bearer ${api_key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ amount: 150_000, method: 'sbp', order_id: 'A-1' })
  const created = await fetch(`${url}/v1/public/payments`, { method: 'POST', headers, body })
  const { payment } = (await created.json()) as { payment: { id: string } }
  await fetch(`${url}/v1/public/payments/${payment.id}/cancel`, { method: 'POST', headers })
}

async function record(line: string): Promise<void> {
  const argv = line.replace('https://api.real.example', real.url).split(' ').slice(1)
  const recording = startPsp([...argv, '--port', '0', '--json'], { cwd: folder.path })
  const ready = await waitUntil(() => /^\{"type":"ready".*$/m.exec(recording.output())?.[0])
  await sendTraffic(JSON.parse(ready).url)
  recording.signal('SIGINT')
  expect((await recording.ended).code).toBe(0)
}

describe('the guide to comparing', () => {
  test('its commands work in order, and the first comparison prints the example', async () => {
    const codes: number[] = []
    const outputs: string[] = []
    for (const line of COMMANDS) {
      if (line.startsWith('psp record')) {
        await record(line)
        continue
      }
      const { code, stdout } = await psp(line.split(' ').slice(1), { cwd: folder.path })
      codes.push(code)
      outputs.push(stdout)
    }
    expect(codes).toEqual([8, 0, 0, 0])
    update(/(```text\n)[\s\S]*?(```)/, `$1${masked(outputs[0] ?? '')}\n$2`)
    expect(page()).toContain(masked(outputs[0] ?? ''))
    expect(outputs[2]).toMatch(/^No difference in 2 exchanges\.\n$/)
    expect(JSON.parse(readFileSync(join(folder.path, 'psp.config.json'), 'utf8'))).toEqual({
      settings: { naming: 'shop', time_fraction: 0 },
    })
    expect(readFileSync(join(folder.path, 'compare.xml'), 'utf8')).toContain('failures="0"')
  })

  test('its tables contain every kind of difference and every setting that is proposed', () => {
    update(/<!-- kinds -->|\| kind \|[\s\S]*?(?=\n\n)/, KINDS)
    update(/<!-- settings -->|\| setting \|[\s\S]*?(?=\n\n)/, SETTINGS)
    expect(page()).toContain(KINDS)
    expect(page()).toContain(SETTINGS)
  })
})

function update(part: RegExp, text: string): void {
  if (process.env['PSP_UPDATE_PAGES'] === '1') writeFileSync(PAGE, page().replace(part, text))
}
