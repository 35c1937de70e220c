// Opens a folder in a process of its own: how long it takes, and how much memory stays.
const [, , module, folder] = process.argv
const { openStore } = await import(module)
const start = performance.now()
const store = await openStore({ folder, wall: { now: Date.now }, notice() {} })
const ms = performance.now() - start
globalThis.gc?.()
console.log(JSON.stringify({ ms, rss: process.memoryUsage.rss(), rows: store.world.size('payments') }))
process.exit()
