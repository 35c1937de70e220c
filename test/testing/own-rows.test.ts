// `remove` of a shop's rules, faults and endpoints rejects the ids of other shops, which the control API would accept.
import { afterEach, describe, expect, it } from 'vitest'
import type { TestShop } from '../../src/testing/index.ts'
import { closeAll, FROZEN, PLACES, start } from './places.ts'

afterEach(closeAll)

const LISTS: readonly (readonly ['rules' | 'faults' | 'endpoints', (shop: TestShop) => Promise<{ id: string }>])[] = [
  ['rules', (shop) => shop.rules.add({ plan: 'failed' })],
  ['faults', (shop) => shop.faults.add({ target: 'webhook', fault: 'drop' })],
  ['endpoints', (shop) => shop.endpoints.add('localhost:9/hooks')],
]

describe.each(PLACES)('%s', (_, place) => {
  it.each(LISTS)('%s.remove removes only what list returns', async (name, add) => {
    const psp = await place()
    const other = await psp.shops.create({ receiver: false })
    const [own, foreign] = [await add(psp), await add(other)]
    await expect(psp[name].remove(foreign.id)).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
      message: `${name}: this shop has no ${name.slice(0, -1)} ${foreign.id}.`,
      hint: expect.stringContaining(`client.control.${name}.remove`),
    })
    expect(await other[name].list()).toMatchObject([{ id: foreign.id }])
    await psp[name].remove(own.id)
    expect(await psp[name].list()).toEqual([])
  })

  it('rules and faults of all shops are not removed by the handle of one shop', async () => {
    const psp = await place()
    const rule = await psp.client.control.rules.add({ plan: 'failed' })
    await expect(psp.rules.remove(rule.id)).rejects.toMatchObject({ code: 'not_found' })
    await psp.client.control.rules.remove(rule.id)
    expect((await psp.client.control.rules.list()).items).toEqual([])
  })
})

it('the endpoint of the built-in receiver cannot be removed', async () => {
  const psp = await start({ clock: FROZEN })
  const [receiver, ...more] = (await psp.client.control.endpoints.list(psp.shopId)).items
  expect([receiver?.url, more]).toEqual([psp.receiver.url, []])
  await expect(psp.endpoints.remove(receiver?.id ?? '')).rejects.toMatchObject({ code: 'not_found' })
  expect((await psp.client.control.endpoints.list(psp.shopId)).items).toHaveLength(1)
})
