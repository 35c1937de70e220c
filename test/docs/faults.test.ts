// Each common fault of handlers has a scenario and a page, and the page shows the output of the command.
// `PSP_UPDATE_PAGES=1 npx vitest run --project code test/docs/faults.test.ts` writes the output into the pages.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import start from '../../fixtures/start-shop.json' with { type: 'json' }
import { listShippedScenarios } from '../../src/scenarios/shipped-scenarios.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { type Shop, shop } from '../audit/shop.ts'
import { psp, startTestServer, type TestServer, waitUntil } from '../cli/helpers.ts'

const FOLDER = new URL('../../docs/faults/', import.meta.url)
const pageOf = (name: string) => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8')

/** The faults, each with the scenarios that cause it. */
const FAULTS: Readonly<Record<string, readonly string[]>> = {
  'duplicate delivery credits twice': ['double-delivery'],
  'events out of order': ['out-of-order'],
  'webhook before the create response': ['webhook-before-response'],
  'webhook before or after the redirect': ['webhook-before-redirect', 'webhook-after-redirect'],
  'late expiry cancels an order paid by another attempt': ['late-expiry'],
  'late success after the shop cancelled': ['late-success'],
  'partial refunds in several events': ['partial-refunds'],
  'double click makes two refunds': ['double-refund'],
  'retry after a cut connection with a new key': ['cut-connection'],
  'response after the deadline': ['late-response'],
  '200 on an internal error': ['swallowed-error'],
  'unknown event type throws': ['unknown-event'],
  're-serialised body': ['reserialised-body'],
  'one-sided tolerance': ['one-sided-tolerance'],
  'secrets mixed up or rotated': ['wrong-secret'],
  'float money': ['float-money'],
  'yen times 100': ['yen-times-100'],
  'two payments for one order': ['two-payments'],
}
const NAMES = Object.values(FAULTS).flat()

describe('the index', () => {
  test('each fault has a scenario and a page, and each page is in the index', () => {
    const pages = readdirSync(FOLDER).filter((file) => file !== 'README.md')
    expect(pages.sort()).toEqual(NAMES.map((name) => `${name}.md`).sort())
    expect(listShippedScenarios()).toEqual(expect.arrayContaining([...NAMES]))
    for (const name of NAMES) expect(pageOf('README')).toContain(`](${name}.md) | \`psp trigger ${name}\` |`)
  })
})

describe('a page', () => {
  let merchant: Server
  let handler: Shop
  beforeAll(async () => {
    merchant = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = new Uint8Array(Buffer.concat(chunks))
      const headers = request.headers as Record<string, string>
      response.writeHead((await handler.fetch('', { method: 'POST', headers, body })).status).end()
    })
    await new Promise<void>((resolve) => merchant.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void merchant.close())

  async function played(name: string, testServer: TestServer): Promise<{ printed: string; heard: string }> {
    handler = shop(start.webhook_secret, createSystemClock().now)
    const { port } = merchant.address() as AddressInfo
    const listening = testServer.startPsp(['listen', '--forward', `localhost:${port}/hooks`])
    await waitUntil(() => listening.errors().includes('Ready.'))
    const { code, stdout } = await testServer.psp(`trigger ${name}`)
    expect(code).toBe(0)
    await testServer.sandbox.idle()
    await waitUntil(() => count(listening.output(), '-->') === count(listening.output(), '<--'))
    listening.signal('SIGINT')
    const { stdout: lines } = await listening.ended
    return { printed: stdout.trimEnd(), heard: asOnARealClock(lines.replaceAll(String(port), '3000')).trimEnd() }
  }

  test.each(NAMES)('the page of %s shows the output of its command', async (name) => {
    const testServer = await startTestServer()
    try {
      const { printed, heard } = await played(name, testServer)
      if (process.env['PSP_UPDATE_PAGES'] !== undefined) update(name, printed, heard)
      const [command, shown, lines] = blocks(pageOf(name))
      expect(command).toBe(`psp trigger ${name}`)
      expect(masked(printed)).toEqual(masked(shown))
      // Two concurrent webhooks may be printed in either order.
      expect(masked(heard).sort()).toEqual(masked(lines).sort())
    } finally {
      await testServer.close()
    }
  })

  test.each(NAMES)('the audit checks that the page of %s names exist', async (name) => {
    for (const [, ids = ''] of pageOf(name).matchAll(/^psp audit .* --only (\S+)/gm)) {
      const { code } = await psp(['audit', '127.0.0.1:1', '--only', ids])
      expect(code).toBe(6)
    }
  })
})

/** The contents of the first three code blocks. */
function blocks(page: string): string[] {
  return [...page.matchAll(/^```\w+\n(.*?)\n?```$/gms)].map(([, text = '']) => text).slice(0, 3)
}

function update(name: string, printed: string, heard: string): void {
  let at = 0
  const texts = [undefined, printed, heard]
  const page = pageOf(name).replace(/^```(\w+)\n.*?\n?```$/gms, (block, kind: string) => {
    const text = texts[at++]
    return text === undefined ? block : `\`\`\`${kind}\n${text === '' ? NOTHING : text}\n\`\`\``
  })
  writeFileSync(new URL(`${name}.md`, FOLDER), page)
}

const NOTHING = '(nothing: no payment has ended yet)'

/** The clock is frozen here. With a real clock, the next attempt waits for the first interval of the retry schedule. */
function asOnARealClock(lines: string): string {
  return lines.replace(/next (at once|in .* of frozen time)/g, 'next in 10 s')
}

/** Masks the parts of lines that differ in every run. */
function masked(text = ''): string[] {
  return (text === '' ? NOTHING : text).split('\n').map((line) =>
    line
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
      .replace(/\b(evt|ord|flt|dlv)_\w+/g, '$1')
      // A response names its event only if another event was sent in between, which depends on milliseconds.
      .replace(/^(.*<-- .*?) {2}evt$/, '$1')
      .replace(/\d\d:\d\d:\d\d\.\d{3}/, 'TIME')
      .replace(/\d+ ms/, 'MS')
      .replace(/sandbox time .* UTC/, 'LATER'),
  )
}

function count(text: string, word: string): number {
  return text.split(word).length - 1
}
