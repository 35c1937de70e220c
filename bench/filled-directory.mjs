// Creates data directories. It writes the rows directly to the store.
import { setTimeout as sleep } from 'node:timers/promises'
import { buildStore } from './build-store.mjs'
import { newFolder, serve } from './servers.mjs'
import { commit, payment, settleCommit } from './store-rows.mjs'

/** @param history the number of newest payments that have an event and a delivery */
export function createFilledDirectory(size, { history = 0 } = {}) {
  return createDirectory(async (store, shop) => {
    for (let n = 0; n < size; n += 5000) {
      const some = Array.from({ length: Math.min(5000, size - n) }, (_, i) => {
        const row = { ...payment(n + i), status: 'succeeded', merchant_id: shop.merchant_id, shop_id: shop.id }
        return n + i < size - history ? [['payments', row]] : pairsOf(settleCommit(row, n + i))
      })
      store.append(Date.now(), 'fill', commit(some.flat()))
      await sleep(0)
    }
  })
}

/**
 * Creates a data directory.
 * @param fill writes the rows; called with the store and the first shop
 */
export async function createDirectory(fill) {
  const folder = newFolder()
  // The first start creates the shop.
  const server = await serve([], { folder })
  await server.stop()
  const built = await buildStore()
  try {
    const { openStore } = await import(built.path)
    const store = await openStore({ folder, systemClock: { now: Date.now }, notice: (text) => console.error(text) })
    const [shop] = store.world.rows('shops')
    await fill(store, shop)
    await store.close()
  } finally {
    built.remove()
  }
  return folder
}

function pairsOf({ puts }) {
  return puts.map(({ table, row }) => [table, row])
}
