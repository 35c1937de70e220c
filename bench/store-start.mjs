// Opens a data directory, or a file with lowdb alone. Prints the time it takes and the resident memory afterwards.
import { setTimeout as sleep } from 'node:timers/promises'
import { JSONFilePreset } from 'lowdb/node'

const [, , module, folder] = process.argv
const start = performance.now()
const rows = module === 'lowdb' ? await openLowdb() : await openFolder()
const ms = performance.now() - start
await waitForBackgroundWork()
globalThis.gc?.()
console.log(JSON.stringify({ ms, rss: process.memoryUsage.rss(), rows }))
process.exit()

async function openFolder() {
  const { openStore } = await import(module)
  const store = await openStore({ folder, systemClock: { now: Date.now }, notice() {} })
  globalThis.kept = store
  return store.world.size('payments')
}

async function openLowdb() {
  const db = await JSONFilePreset(folder, { payments: [] })
  globalThis.kept = db
  return db.data.payments.length
}

/** Waits for the compression of rows, which continues for a while after the start. */
async function waitForBackgroundWork() {
  for (let before = -1, now = 0; before !== now; ) {
    before = now
    await sleep(500)
    now = process.memoryUsage().arrayBuffers
  }
}
