import { describe, expect, test } from 'vitest'
import { exploreHandler } from '../../src/testing/explore-handler.ts'
import { HandlerBugError } from '../../src/testing/explore-options.ts'
import { buildShop, createShops, isInstalled } from './shops/start-shop.ts'

const SHOPS = await Promise.all(
  createShops(new URL('shops/', import.meta.url)).map(async (shop) => ({
    shop,
    name: shop.name,
    isHere: await isInstalled(shop),
  })),
)

/** A bug that only two messages at the same time show. */
const RACE = 'inserts after a check'

async function explored(url: string, deliveries: number) {
  const read = async (path: string) => {
    const response = await fetch(`${url}/${path}`)
    return response.ok ? await response.text() : undefined
  }
  return await exploreHandler('whs_shops', `${url}/hooks`, {
    order: (id) => read(`orders/${id}`),
    balance: () => read('balance'),
    seed: 1,
    time: 120_000,
    deliveries,
    save: false,
  })
}

describe.each(SHOPS)('an exploration of a shop in $name', ({ shop, name, isHere }) => {
  test.skipIf(!isHere)(`finds a planted bug, and nothing in the correct shop (needs ${name})`, async () => {
    const built = await buildShop(shop)
    const correct = await built.start()
    const [bug] = shop.bugs
    const faulty = await built.start(bug)
    try {
      await expect(explored(correct.url, 150)).resolves.toMatchObject({ end: 'deliveries' })
      await expect(explored(faulty.url, bug === RACE ? 600 : 100)).rejects.toThrow(HandlerBugError)
    } finally {
      await correct.stop()
      await faulty.stop()
      built.remove()
    }
  })
})
