// Explores shops in Node, Python, PHP, Go and Java with `psp audit --explore` over HTTP, each correct or with one bug.
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { spread } from './report.mjs'

/** The number of messages to a correct shop. */
export const CORRECT_DELIVERIES = 300

/** @param modules the exports of test/explore/shops */
export async function exploreShops({ createShops, buildShop, isInstalled }, limits) {
  const rows = []
  for (const shop of createShops(new URL('../test/explore/shops/', import.meta.url))) {
    if (!(await isInstalled(shop))) {
      rows.push({ shop: shop.name, bug: 'not installed here' })
      continue
    }
    const built = await buildShop(shop)
    try {
      for (const bug of [undefined, ...shop.bugs]) rows.push(await exploreShop(shop, built, bug, limits))
    } finally {
      built.remove()
    }
  }
  return rows
}

async function exploreShop(shop, built, bug, { seeds, time, deliveries }) {
  const runs = []
  for (const seed of seeds) {
    const { url, stop } = await built.start(bug)
    try {
      runs.push(await exploreOnce(url, { seed, time, deliveries: bug === undefined ? CORRECT_DELIVERIES : deliveries }))
    } finally {
      await stop()
    }
  }
  const found = runs.filter(({ finding }) => finding !== undefined)
  const median = (of) => (found.length === 0 ? '-' : spread(found.map(of)).median)
  return {
    shop: `${shop.name}: ${bug ?? 'correct'}`,
    found: `${found.length}/${runs.length}`,
    'case: deliveries': median(({ finding }) => finding.deliveries),
    'case: steps': median(({ finding }) => finding.steps),
    'seconds to the first': found.length === 0 ? '-' : Number(median(({ seconds }) => seconds).toFixed(1)),
    'deliveries/s': Math.round(spread(runs.map(({ rate }) => rate)).median),
  }
}

/** Ends the search at the first finding, as Ctrl-C does. */
async function exploreOnce(url, { seed, time, deliveries }) {
  const psp = fileURLToPath(new URL('../bin/psp.js', import.meta.url))
  const began = performance.now()
  const child = execa(
    process.execPath,
    [
      psp,
      'audit',
      `${url}/hooks`,
      '--probe',
      'orders/{order_id}',
      '--probe',
      'balance',
      '--secret',
      'whs_bench',
      '--explore',
      `${time / 1000}s`,
      '--deliveries',
      `${deliveries}`,
      '--seed',
      `${seed}`,
      '--json',
    ],
    { reject: false, cwd: tmpdir() },
  )
  const run = { finding: undefined, seconds: undefined, rate: 0 }
  for await (const line of child) {
    const row = JSON.parse(line)
    if (row.type === 'summary') run.rate = (row.deliveries + row.shrinking) / ((performance.now() - began) / 1000)
    if (row.type !== 'finding' || run.finding !== undefined) continue
    run.finding = row
    run.seconds = (performance.now() - began) / 1000
    child.kill('SIGINT')
  }
  return run
}
