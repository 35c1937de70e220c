// Takes docs/pictures/dashboard-*.png, screenshots of the dashboard. Seed, clock and data are fixed, so that two runs
// with the same Chromium have the same result. Run it with `npm run pictures`. PSP_CHROMIUM names another browser.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { toPalettePng } from './palette-png.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

// The port is fixed, because the pictures show addresses.
const SERVE = [
  ...['bin/psp.js', 'serve', '--json', '--quiet', '--ephemeral', '--port', '7779', '--random-seed', '7'],
  ...['--clock', 'frozen@2026-05-06T09:00:00Z'],
]

/** The pictures, each with its size and the order whose payment is open. */
const PICTURES = {
  payments: { size: { width: 1280, height: 640 } },
  payment: { size: { width: 1280, height: 800 }, open: 'A-1042' },
  phone: { size: { width: 390, height: 780 }, open: 'A-1042' },
}

const METHODS = ['sbp', 'cards', 'tpay', 'sberpay']

/** How the payments end, in turn. `undefined` leaves a payment pending. */
const ACTS = [
  { action: 'pay' },
  { action: 'decline', failure_code: 'insufficient_funds' },
  { action: 'pay' },
  undefined,
]

const server = spawn(process.execPath, SERVE, { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const ready = await firstLine(server)
  await takeAll(ready, await fill(ready))
} finally {
  server.kill('SIGTERM')
}

async function firstLine({ stdout }) {
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line)
  throw new Error('The sandbox did not start.')
}

/**
 * Creates payments that end differently, and a webhook endpoint at which nothing listens.
 * @returns the payment ids by order
 */
async function fill({ url, shop_id }) {
  await send(`${url}/_psp/shops/${shop_id}/endpoints`, { url: 'http://127.0.0.1:9/hooks' })
  const ids = {}
  for (let at = 0; at < 26; at++) {
    const { id } = await send(`${url}/_psp/payments`, {
      amount: 45_000 + at * 7350,
      method: METHODS[at % METHODS.length],
      order_id: `A-${1020 + at}`,
      customer_id: `customer-${at % 5}`,
    })
    ids[`A-${1020 + at}`] = id
    const act = ACTS[at % ACTS.length]
    if (act !== undefined) await send(`${url}/_psp/payments/${id}/act`, act)
    await send(`${url}/_psp/clock/advance`, { by: '7s' })
  }
  return ids
}

async function takeAll({ url }, ids) {
  mkdirSync('docs/pictures', { recursive: true })
  const browser = await chromium.launch({
    executablePath: process.env.PSP_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  try {
    for (const [name, { size, open }] of Object.entries(PICTURES)) {
      for (const colorScheme of ['light', 'dark']) {
        const context = await browser.newContext({ viewport: size, colorScheme, locale: 'en-GB' })
        const page = await context.newPage()
        await page.goto(`${url}/ui/payments${open === undefined ? '' : `/${ids[open]}`}`)
        await page
          .locator(open === undefined ? '.table-body [role=row]' : '.timeline')
          .first()
          .waitFor()
        await page.getByText('Live', { exact: true }).waitFor()
        await page.evaluate('document.fonts.ready')
        const file = `docs/pictures/dashboard-${name}-${colorScheme}.png`
        const png = toPalettePng(await page.screenshot({ animations: 'disabled', caret: 'hide' }))
        writeFileSync(file, png)
        process.stdout.write(`${file}  ${Math.ceil(png.length / 1024)} KB\n`)
        await context.close()
      }
    }
  } finally {
    await browser.close()
  }
}

async function send(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const json = await response.json()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(json)}`)
  return json
}
