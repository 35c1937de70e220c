// A server on a socket, and Chromium.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'

// The shell without a window renders the same pages with half of the processor time.
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const CHROMIUM = process.env['PSP_CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium')

/** Why the tests are skipped on a machine without a browser. With `PSP_REQUIRE_BROWSER` they fail instead. */
const NO_BROWSER = existsSync(CHROMIUM)
  ? undefined
  : `no browser at ${CHROMIUM}: apt-get install chromium-headless-shell or chromium, or name another in PSP_CHROMIUM`

export function describeInBrowser(name: string, tests: () => void): void {
  if (NO_BROWSER === undefined) describe(name, tests)
  else if (process.env['PSP_REQUIRE_BROWSER']) {
    it(`${name} needs a browser`, () => {
      throw new Error(NO_BROWSER)
    })
  } else describe.skip(`${name} (${NO_BROWSER})`, tests)
}

export interface BrowserFixture {
  readonly sandbox: Sandbox
  readonly url: string
  /** The caller that the shop's API key identifies. */
  caller(): { readonly shop_id: string; readonly mode: 'test' }
  /** Creates a payment and returns its id. */
  create(body?: object): Promise<string>
  /** Returns each status of the payment since its creation, in order. */
  statuses(id: string): readonly string[]
  payment(id: string): Promise<Record<string, unknown> & { metadata: Record<string, string> }>
  /** Opens a window. `problems` collects errors, warnings and requests to other hosts. */
  window(options?: BrowserContextOptions): Promise<{ page: Page; context: BrowserContext; problems: string[] }>
  shot(page: Page, name: string): Promise<void>
  close(): Promise<void>
}

export async function createBrowserFixture(options: SandboxOptions = {}): Promise<BrowserFixture> {
  const systemClock = createSystemClock()
  const sandbox = await assembleSandbox({
    settings: { 'delays.bank': '300ms', http_return_url: true },
    ...options,
  })
  const server: RunningServer = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock })
  sandbox.setBaseUrl(server.url)
  const browser = await sharedBrowser()
  const contexts: BrowserContext[] = []
  const statuses = new Map<string, string[]>()
  sandbox.engine.onCommit(({ stream }) => {
    for (const { kind, payload } of stream) {
      if (kind !== 'payment.status_changed') continue
      const { id, status } = payload as { id: string; status: string }
      statuses.set(id, [...(statuses.get(id) ?? []), status])
    }
  })
  const headers = { authorization: `Bearer ${sandbox.defaultShop().api_key}`, 'content-type': 'application/json' }
  return {
    sandbox,
    url: server.url,
    caller: () => ({ shop_id: sandbox.defaultShop().shop_id, mode: 'test' }),
    async create(body = {}) {
      const response = await fetch(`${server.url}/v1/public/payments`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ amount: 150_000, order_id: 'A-1042', description: 'Two tickets, row 7', ...body }),
      })
      return ((await response.json()) as { payment: { id: string } }).payment.id
    },
    statuses: (id) => statuses.get(id) ?? [],
    payment: async (id) =>
      (await fetch(`${server.url}/v1/public/payments/${id}`, { headers })).json() as ReturnType<
        BrowserFixture['payment']
      >,
    async window(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
      contexts.push(context)
      context.setDefaultTimeout(120_000)
      const page = await context.newPage()
      const problems: string[] = []
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
      })
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) problems.push(request.url())
      })
      return { page, context, problems }
    },
    async shot(page, name) {
      if (process.env['PSP_SHOTS']) await page.screenshot({ path: `test/artifacts/${name}.png`, fullPage: true })
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      await server.close({ grace_ms: 100 })
      await sandbox.close()
    },
  }
}

let launched: Promise<Browser> | undefined

/** Returns the Chromium of this worker, which all its files use. It ends with the worker, and is replaced if it crashes. */
async function sharedBrowser(): Promise<Browser> {
  launched ??= launchBrowser()
  return await launched
}

async function launchBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  browser.on('disconnected', () => {
    launched = undefined
  })
  return browser
}

/** Waits until the page fits, because a page without its styles is as wide as its longest word. */
export async function fitsWithin(page: Page, width: number): Promise<void> {
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
}

/** Returns the number of lines of the text of an element. */
export async function linesOf(page: Page, selector: string): Promise<number> {
  return page.evaluate<number>(`(() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(${JSON.stringify(selector)}))
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
  })()`)
}
