// A real server and a real browser on it.
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { type RunningServer, startServer } from '../../src/node/server.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { systemWall } from '../../src/time/wall.ts'

const CHROMIUM = process.env['PSP_CHROMIUM'] ?? '/usr/bin/chromium'

export const NO_BROWSER = existsSync(CHROMIUM)
  ? undefined
  : `no browser at ${CHROMIUM}: apt-get install chromium, or name another in PSP_CHROMIUM`

export interface BrowserRig {
  readonly sandbox: Sandbox
  readonly url: string
  /** Creates a payment and gives its id. */
  create(body?: object): Promise<string>
  payment(id: string): Promise<Record<string, unknown> & { metadata: Record<string, string> }>
  /** A new window; `faults` collects what the browser complains about. */
  window(options?: BrowserContextOptions): Promise<{ page: Page; context: BrowserContext; faults: string[] }>
  shot(page: Page, name: string): Promise<void>
  close(): Promise<void>
}

export async function browserRig(): Promise<BrowserRig> {
  const wall = systemWall()
  const sandbox = await createSandbox({
    settings: { 'delays.bank': '300ms', http_return_url: true },
  })
  const server: RunningServer = await startServer(sandbox, { port: 0, host: '127.0.0.1', wall })
  sandbox.announce(server.url)
  const browser: Browser = await chromium.launch({
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
  const headers = { authorization: `Bearer ${sandbox.start().api_key}`, 'content-type': 'application/json' }
  return {
    sandbox,
    url: server.url,
    async create(body = {}) {
      const response = await fetch(`${server.url}/v1/public/payments`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ amount: 150_000, order_id: 'A-1042', description: 'Two tickets, row 7', ...body }),
      })
      return ((await response.json()) as { payment: { id: string } }).payment.id
    },
    payment: async (id) =>
      (await fetch(`${server.url}/v1/public/payments/${id}`, { headers })).json() as ReturnType<BrowserRig['payment']>,
    async window(options = {}) {
      const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
      const page = await context.newPage()
      const faults: string[] = []
      page.on('pageerror', (error) => faults.push(error.message))
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
      })
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url) && !request.url().startsWith('data:')) faults.push(request.url())
      })
      return { page, context, faults }
    },
    async shot(page, name) {
      await page.screenshot({ path: `test/artifacts/${name}.png`, fullPage: true })
    },
    async close() {
      await browser.close()
      await server.close({ grace_ms: 100 })
      await sandbox.close()
    },
  }
}
