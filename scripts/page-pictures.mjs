// Takes docs/pictures/page-*.png, screenshots of the hosted page. Seed, clock and addresses are fixed, so that two runs
// with the same Chromium have the same result. Run it with `npm run pictures`. PSP_CHROMIUM names another browser.
// PSP_BEFORE names an older build. With it, the script takes the pictures docs/pictures/before-*.png instead.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { toPalettePng } from './palette-png.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const BEFORE = process.env.PSP_BEFORE

const SERVE = [
  ...[`${BEFORE ?? '.'}/bin/psp.js`, 'serve', '--json', '--quiet', '--ephemeral', '--port', '0', '--random-seed', '7'],
  ...['--clock', 'frozen@2026-05-06T09:00:00Z', '--pay-url', 'https://pay.example'],
]

const WIDE = { width: 1040, height: 640 }
const DOCKED = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 780 }
const SMALL_PHONE = { width: 320, height: 640 }

/** The pictures: the payment, the size, and actions before the screenshot. */
const PICTURES = {
  choose: { size: WIDE, body: {} },
  sbp: { size: WIDE, body: {}, query: '?method=sbp' },
  card: {
    size: { ...WIDE, height: 860 },
    body: {},
    query: '?method=cards',
    prepare: (page) => fillCard(page, '5555555555554444'),
  },
  code: {
    size: PHONE,
    body: { method: 'cards' },
    async prepare(page) {
      await fillCard(page, '4000000000003220')
      await page.getByRole('button', { name: 'Pay ' }).click()
      await page.getByLabel('Code from your bank').fill('123456')
    },
  },
  panel: {
    size: DOCKED,
    body: { webhook_url: 'http://127.0.0.1:9/hooks' },
    async prepare(page, { advance }) {
      await page.getByRole('button', { name: 'No money' }).click()
      await page.getByRole('heading', { name: 'Payment failed' }).waitFor()
      await advance('10s')
      await page.reload()
    },
  },
  phone: { size: SMALL_PHONE, body: {}, query: '?method=cards', isViewport: true },
  app: { size: PHONE, body: { method: 'tpay' }, query: '?view=app' },
}

/** The same views of an older build, in the light theme. */
const PICTURES_BEFORE = {
  card: { size: WIDE, body: { method: 'cards' }, prepare: (page) => fillCard(page, '5555555555554444') },
  panel: { size: DOCKED, body: { amount: 240_051 }, query: '?panel=open', isViewport: true },
  phone: { size: SMALL_PHONE, body: { method: 'cards' }, isViewport: true },
}

async function fillCard(page, number) {
  await page.getByLabel('Card number').pressSequentially(number)
  await page.getByLabel('Expires').fill('12/29')
  await page.getByLabel('CVC').fill('123')
}

const server = spawn(process.execPath, SERVE, { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  const ready = await firstLine(server)
  await nameShop(ready)
  await takeAll(ready)
} finally {
  server.kill('SIGTERM')
}

async function firstLine({ stdout }) {
  for await (const line of createInterface({ input: stdout })) return JSON.parse(line)
  throw new Error('The sandbox did not start.')
}

function nameShop({ url, shop_id }) {
  return send(`${url}/_psp/shops/${shop_id}`, 'PATCH', { name: 'Harbour Theatre' })
}

async function takeAll({ url, api_key }) {
  mkdirSync('docs/pictures', { recursive: true })
  const browser = await chromium.launch({
    executablePath: process.env.PSP_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  try {
    for (const [name, picture] of Object.entries(BEFORE === undefined ? PICTURES : PICTURES_BEFORE)) {
      for (const colorScheme of BEFORE === undefined ? ['light', 'dark'] : ['light']) {
        const file = `docs/pictures/${BEFORE === undefined ? 'page' : 'before'}-${name}-${colorScheme}.png`
        const png = toPalettePng(await take(browser, { ...picture, colorScheme, url, api_key }))
        writeFileSync(file, png)
        process.stdout.write(`${file}  ${Math.ceil(png.length / 1024)} KB\n`)
      }
    }
  } finally {
    await browser.close()
  }
}

async function take(browser, { size, body, query = '', prepare, isViewport, colorScheme, url, api_key }) {
  const payment = { amount: 240_000, order_id: 'A-1042', description: 'Two tickets, row 7', ...body }
  const created = await send(`${url}/v1/public/payments`, 'POST', payment, { authorization: `Bearer ${api_key}` })
  const context = await browser.newContext({
    viewport: size,
    colorScheme,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  await page.goto(`${url}/pay/${created.payment.id}${query}`)
  await prepare?.(page, { advance: (by) => send(`${url}/_psp/clock/advance`, 'POST', { by }) })
  await page.evaluate('document.activeElement.blur()')
  await page.evaluate('document.fonts.ready')
  const png = await page.screenshot({ fullPage: isViewport !== true, animations: 'disabled', caret: 'hide' })
  await context.close()
  return png
}

async function send(url, method, body, headers = {}) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const json = await response.json()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${JSON.stringify(json)}`)
  return json
}
