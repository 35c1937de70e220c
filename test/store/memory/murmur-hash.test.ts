import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bytesHash, textHash } from '../../../src/store/memory/murmur-hash.ts'
import { AT, commitOf, put, store, temporaryFolder } from '../fixtures.ts'

const [ONE, OTHER] = findCollision()
const refund = (id: string, payment_id: string) => put('refunds', { id, payment_id })

test('ids and keys with the same hash are distinguished, before and after a restart', async () => {
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

test('`bytesHash` returns the hash of the text, or nothing if a byte is not ASCII or is escaped', () => {
  const hashOf = (text: string) => bytesHash(Buffer.from(`${text}"…`), 0, 34)
  for (const text of ['', 'a', 'evt_0123', '~ ']) expect(hashOf(text)).toBe(textHash(text))
  for (const text of ['ё', 'a\\n', 'é']) expect(hashOf(text)).toBeUndefined()
  expect(bytesHash(Buffer.from('no end'), 0, 34)).toBeUndefined()
})

function findCollision(): [string, string] {
  const seen = new Map<number, string>()
  for (let n = 0; ; n++) {
    // Consecutive numbers have different hashes, so random texts are needed.
    const text = createHash('sha256').update(String(n)).digest('base64url')
    const other = seen.get(textHash(text))
    if (other !== undefined) return [other, text]
    seen.set(textHash(text), text)
  }
}
