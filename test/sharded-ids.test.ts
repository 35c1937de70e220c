import { expect, test } from 'vitest'
import { keyPrefix, parseKey } from '../src/domain/api-key.ts'
import { seededRandomness, systemRandomness, withShardSuffix } from '../src/random.ts'

test.each([
  [0, '00'],
  [10, '0a'],
  [255, 'ff'],
])('shard %i is in ids and keys as %s', (shard, digits) => {
  const random = withShardSuffix(systemRandomness(), shard)
  expect(random.uuid()).toMatch(
    new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{10}${digits}$`),
  )
  const prefix = keyPrefix(random.token, random.shard)
  expect(prefix).toMatch(new RegExp(`^S${digits}[a-z0-9]{3}$`))
  expect(parseKey(`sk_test_${prefix}_secret`)?.hint).toBe(`sk_test_${prefix}`)
})

test('ids without a shard do not look sharded, and a seed gives the same ids except for their end', () => {
  expect(keyPrefix(systemRandomness().token, undefined)).toMatch(/^[a-z0-9]{6}$/)
  const [plain, sharded] = [seededRandomness(1).uuid(), withShardSuffix(seededRandomness(1), 3).uuid()]
  expect(sharded).toBe(`${plain.slice(0, -2)}03`)
})
