import { expect, test } from 'vitest'
import { StoreDamagedError } from '../../../src/store/errors.ts'
import { layoutOf } from '../../../src/store/folder/layout.ts'
import { createMemory } from '../../../src/store/memory/memory.ts'
import { checkEditedRows } from '../../../src/store/pages/check-edited-rows.ts'
import { AT, commitOf, OWNERS, put } from '../fixtures.ts'

const OWNED = { merchant_id: 'mrc', shop_id: 'shp', created_at: AT }
const FILE = '/data/pages/deliveries/000000.json'

/** Checks a delivery to an endpoint that was edited by hand. */
async function check(url: string, endpoint: object): Promise<void> {
  const delivery = {
    id: 'dlv',
    ...OWNED,
    event_id: 'evt',
    event: 'payment.succeeded',
    object_id: 'pay-1',
    endpoint_id: 'end',
    url,
    status: 'delivered',
    attempts: [],
  }
  const memory = createMemory()
  memory.apply(
    commitOf({
      puts: [
        ...OWNERS,
        put('endpoints', { id: 'end', ...OWNED, ...endpoint }),
        put('events', { id: 'evt', ...OWNED }),
        put('deliveries', delivery),
      ],
    }),
  )
  const page = { table: 'deliveries' as const, number: 0, file: FILE, rows: [delivery], line: () => 7 }
  await checkEditedRows(memory, layoutOf('/data'), [page])
}

test('a delivery to an endpoint must have a URL that psp can send to', async () => {
  await expect(check('ftp://shop.example/', {})).rejects.toEqual(
    new StoreDamagedError(
      FILE,
      7,
      'the row dlv cannot be used: url: expected an absolute http or https URL without user name and password',
    ),
  )
  await check('https://shop.example/', {})
})

test('a delivery to a listener may have any URL, because psp does not send to it', async () => {
  await check('ftp://shop.example/', { listener: true })
})
