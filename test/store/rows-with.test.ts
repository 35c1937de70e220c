import { expect, test } from 'vitest'
import { AT, commitOf, put, store, temporaryFolder } from './fixtures.ts'

test('rows whose field has one of the values, in objects, in packed text and in the text of pages', async () => {
  const folder = temporaryFolder()
  const before = await store(folder)
  // More than stay objects, so that the first are text.
  const rows = Array.from({ length: 20_000 }, (_, n) => ({
    id: `pay-${n}`,
    status: ['pending', 'succeeded', 'processing', 'failed'][n % 4],
    metadata: { status: 'pending' },
  }))
  before.append(AT, 'x', commitOf({ puts: rows.map((row) => put('payments', row)) }))
  const wanted = rows.filter(({ status }) => status === 'pending' || status === 'processing').map(({ id }) => id)
  const found = ({ world }: typeof before) =>
    [...world.rowsWith('payments', 'status', ['pending', 'processing'])].map(({ id }) => id)
  expect(found(before)).toEqual(wanted)
  await before.close()
  const after = await store(folder)
  expect(found(after)).toEqual(wanted)
  expect([...after.world.rowsWith('payments', 'status', ['odd'])]).toEqual([])
})
