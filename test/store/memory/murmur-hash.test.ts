import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesHash, textHash } from '../../../src/store/memory/murmur-hash.ts'
import { AT, commitOf, put, store, temporaryFolder } from '../fixtures.ts'

const [ONE, OTHER] = twoOfOneHash()
const refund = (id: string, payment_id: string) => put('refunds', { id, payment_id })

test('ids and keys of one hash are told apart, before and after a restart', async () => {
  expect(textHash(ONE)).toBe(textHash(OTHER))
  const folder = temporaryFolder()
  const first = await store(folder)
  first.append(AT, 'x', commitOf({ puts: [refund(ONE, OTHER), refund('third', ONE)] }))
  expect(first.world.get('refunds', OTHER)).toBeUndefined()
  first.append(AT, 'x', commitOf({ puts: [refund(OTHER, ONE)], deletes: [{ table: 'refunds', id: OTHER }] }))
  check(first)
  await first.close()
  const second = await store(folder)
  check(second)
  second.append(AT, 'x', commitOf({ puts: [refund(OTHER, OTHER)], deletes: [{ table: 'refunds', id: ONE }] }))
  expect(second.world.get('refunds', ONE)).toBeUndefined()
  expect(second.world.find('refunds', 'by_payment', ONE).map(({ id }) => id)).toEqual(['third'])
  expect(second.world.find('refunds', 'by_payment', OTHER).map(({ id }) => id)).toEqual([OTHER])
  await second.close()

  function check({ world }: Awaited<ReturnType<typeof store>>) {
    expect(world.get('refunds', ONE)).toEqual({ id: ONE, payment_id: OTHER })
    expect(world.get('refunds', OTHER)).toEqual({ id: OTHER, payment_id: ONE })
    expect(world.find('refunds', 'by_payment', ONE).map(({ id }) => id)).toEqual(['third', OTHER])
    expect(world.size('refunds')).toBe(3)
  }
})

test('ids of any letters are found after a restart', async () => {
  const ids = ['', 'plain', 'ё ₽', '🎉', '"quoted"', 'back\\slash', 'line\nbreak', '\ud800', 'é']
  const folder = temporaryFolder()
  const first = await store(folder)
  first.append(AT, 'x', commitOf({ puts: ids.map((id) => refund(id, `of ${id}`)) }))
  await first.close()
  const second = await store(folder)
  for (const id of ids) {
    expect(second.world.get('refunds', id)?.payment_id).toBe(`of ${id}`)
    expect(second.world.find('refunds', 'by_payment', `of ${id}`).map((row) => row.id)).toEqual([id])
  }
  await second.close()
})

test('bytes have the hash of their text, or none', () => {
  const hashOf = (text: string) => bytesHash(Buffer.from(`${text}"…`), 0, 34)
  for (const text of ['', 'a', 'evt_0123', '~ ']) expect(hashOf(text)).toBe(textHash(text))
  for (const text of ['ё', 'a\\n', 'é']) expect(hashOf(text)).toBeUndefined()
  expect(bytesHash(Buffer.from('no end'), 0, 34)).toBeUndefined()
})

function twoOfOneHash(): [string, string] {
  const seen = new Map<number, string>()
  for (let n = 0; ; n++) {
    // Ids that only count up have hashes that differ.
    const text = createHash('sha256').update(String(n)).digest('base64url')
    const other = seen.get(textHash(text))
    if (other !== undefined) return [other, text]
    seen.set(textHash(text), text)
  }
}
