// `npm run bench -- dashboard [--seconds=15] [--rate=500] [--stored=10000] [--minutes=0]`
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { fillWithPayments, loadEvenly } from './even-load.mjs'
import { report } from './report.mjs'
import { serve } from './servers.mjs'

export const MEASURES = 'the dashboard in Chromium: time to list, processor time under many changes, heap'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const SECONDS = Number(flags.seconds ?? 15)
const RATE = Number(flags.rate ?? 500)
const STORED = Number(flags.stored ?? 10_000)
/** Minutes under load after which the heap is measured again. 0: not measured. */
const MINUTES = Number(flags.minutes ?? 0)

const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'
const CHROMIUM = process.env.PSP_CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium')

/** Each payment changes its status twice: to processing and to succeeded. */
const CREATES = RATE / 2

const server = await serve(['--set', 'delays.session=200ms', '--set', 'delays.bank=200ms', '--ephemeral'])
try {
  await fillWithPayments(server.url, STORED)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    // The policy forbids `eval`, which Playwright uses to wait for the list.
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, bypassCSP: true })
    const rows = [await measureList(page, server.url)]
    rows.push(await measureLoad(page, `${RATE} changes/s`, SECONDS))
    if (MINUTES > 0) rows.push(await measureLoad(page, `${RATE} changes/s, later`, MINUTES * 60))
    report('dashboard', rows, [
      `${STORED} payments stored; the newest ${STORED} are in the list. Under load ${CREATES} creates per second, each with two changes of status. ${SECONDS} s.`,
      'Listed: from the last response of the lists to the frame that shows all rows. Core: processor time of the page, as a percentage of one core.',
    ])
  } finally {
    await browser.close()
  }
} finally {
  await server.stop()
}

/** Opens the list, and measures the time between its data and the frame that shows the complete count. */
async function measureList(page, url) {
  const wanted = STORED.toLocaleString('en')
  await page.addInitScript(`{
    const look = () => {
      if (document.querySelector('.count')?.textContent.startsWith(${JSON.stringify(wanted)})) window.listedAt = performance.now()
      else requestAnimationFrame(look)
    }
    look()
  }`)
  await page.goto(`${url}/ui/payments`)
  await page.waitForFunction('window.listedAt')
  const listed = await page.evaluate(`window.listedAt - Math.max(...performance.getEntriesByType('resource')
    .filter(({ name, responseEnd }) => /_psp\\/(payments|payouts|deliveries|requests)\\?/.test(name) && responseEnd < window.listedAt)
    .map(({ responseEnd }) => responseEnd))`)
  return { state: `${STORED} payments listed`, 'listed ms': Math.round(listed), ...(await pageState(page)) }
}

/** Measures the page while the server is under load. */
async function measureLoad(page, state, seconds) {
  const session = await page.context().browser().newBrowserCDPSession()
  await page.evaluate(`window.longTasks = []; new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longTasks.push(duration)
  }).observe({ type: 'longtask' })`)
  const before = await rendererSeconds(session)
  const start = performance.now()
  const created = await loadEvenly(server.url, CREATES, seconds)
  const took = (performance.now() - start) / 1000
  const core = (100 * ((await rendererSeconds(session)) - before)) / took
  const longest = await page.evaluate('Math.max(0, ...window.longTasks)')
  return {
    state,
    'core %': Number(core.toFixed(1)),
    'longest task ms': Math.round(longest),
    'changes/s': Math.round((2 * created) / took),
    ...(await pageState(page)),
  }
}

/** Returns the processor time of the renderer processes in seconds, without the time in which they wait for a core. */
async function rendererSeconds(session) {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

async function pageState(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const nodes = await page.evaluate('document.querySelectorAll("*").length')
  return { 'heap MB': Math.round(usedSize / 1024 / 1024), nodes }
}
