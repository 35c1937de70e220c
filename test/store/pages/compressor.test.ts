import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { BLOCK_ROWS, Block } from '../../../src/store/pages/block.ts'
import { Compressor } from '../../../src/store/pages/compressor.ts'
import { AT, commitOf, contents, put, store, temporaryFolder } from '../fixtures.ts'

const MANY = 6000
const TEXTS = ['"quoted"', 'ё ₽ 🎉', 'line\nbreak', 'comma,', '']
const event = (n: number, more: object = {}) => ({
  id: `evt_${n}`,
  object_id: `pay-${n % 3000}`,
  body: JSON.stringify({ n, text: TEXTS[n % TEXTS.length] }),
  ...more,
})

test('rows as text can be changed, deleted and inserted again, and survive a restart', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  const all = Array.from({ length: MANY }, (_, n) => event(n))
  for (const row of all) first.append(AT, 'x', commitOf({ puts: [put('events', row)] }))
  await deflated()
  expect([...first.world.rows('events')]).toEqual(all)
  expect(first.world.find('events', 'by_object', 'pay-7')).toEqual([event(7), event(3007)])
  const changed = event(7, { object_id: 'another', body: 'changed' })
  first.append(
    AT,
    'x',
    commitOf({
      puts: [put('events', changed)],
      deletes: [8, 9].map((n) => ({ table: 'events' as const, id: `evt_${n}` })),
    }),
  )
  first.append(AT, 'x', commitOf({ puts: [put('events', event(8))] }))
  const expected = [...all.slice(0, 7), changed, ...all.slice(10), event(8)]
  expect([...first.world.rows('events')]).toEqual(expected)
  expect(first.world.find('events', 'by_object', 'pay-7')).toEqual([event(3007)])
  expect(first.world.get('events', 'evt_9')).toBeUndefined()
  await first.close()
  const second = await store(folder)
  await deflated()
  expect([...second.world.rows('events')]).toEqual(expected)
  await second.close()
})

test('a failed commit restores deflated rows', async () => {
  const { append, world } = await store(undefined)
  for (let n = 0; n < MANY; n++) append(AT, 'x', commitOf({ puts: [put('events', event(n))] }))
  await deflated()
  const before = contents(world)
  const bad = commitOf({
    deletes: [{ table: 'events', id: 'evt_0' }],
    puts: [put('events', event(1, { body: 'x' })), put('state', { id: 'settings', values: { 'delays.bank': 3 } })],
  })
  expect(() => append(AT, 'x', bad)).toThrow(/delays\.bank/)
  expect(contents(world)).toEqual(before)
})

test('the oldest block becomes text and is deflated at once if its text is short', () => {
  const compressor = new Compressor({ recentRows: BLOCK_ROWS, deflate: true })
  const [oldest, newest] = fill(compressor, 2, '') as [Block, Block]
  expect(oldest.slots[0]).toBe(0)
  expect(oldest.deflated?.length).toBeLessThan(BLOCK_ROWS * 10)
  expect(oldest.row(5, compressor.inflate)).toEqual({ id: 'row-5', body: '' })
  expect(typeof newest.slots[0]).toBe('object')
})

test('a block that changes often is queued once, so older blocks stay objects', () => {
  const compressor = new Compressor({ recentRows: 2 * BLOCK_ROWS, deflate: false })
  const [older, newest] = fill(compressor, 2, '') as [Block, Block]
  for (let n = 0; n < 5; n++) compressor.enqueue(newest)
  expect([older, newest].map(({ slots }) => typeof slots[0])).toEqual(['object', 'object'])
})

test('a long text is deflated in the background, except if its block was changed again', async () => {
  const compressor = new Compressor({ recentRows: 2 * BLOCK_ROWS, deflate: true })
  const body = 'x'.repeat(5000)
  const [oldest, second, third] = fill(compressor, 4, body) as [Block, Block, Block]
  expect(oldest.slots[0]).toBe(0)
  expect(oldest.deflated).toBeUndefined()
  expect(typeof third.slots[0]).toBe('object')
  second.set(3, { id: 'again' })
  compressor.enqueue(second)
  await expect.poll(() => oldest.text).toBeUndefined()
  expect(oldest.row(5, compressor.inflate)).toEqual({ id: 'row-5', body })
  expect(second.deflated).toBeUndefined()
  expect(second.row(3, compressor.inflate)).toEqual({ id: 'again' })
  expect(second.row(4, compressor.inflate)).toEqual({ id: 'row-4', body })
})

test('a stopped compressor deflates no blocks', async () => {
  const compressor = new Compressor({ recentRows: 0, deflate: true })
  const block = new Block()
  block.set(0, { id: 'a' })
  compressor.stop()
  compressor.enqueue(block)
  await deflated()
  expect(block.deflated).toBeUndefined()
  expect(block.row(0, compressor.inflate)).toEqual({ id: 'a' })
})

test('the newest block stays objects even if its rows are large, and older blocks become text', () => {
  const compressor = new Compressor({ recentRows: 1000 * BLOCK_ROWS, deflate: false })
  const [older, newest] = [1, 2].map((n) => {
    const block = new Block()
    block.set(0, { id: `row-${n}` })
    block.bytes = 33 * 1024 * 1024
    compressor.enqueue(block)
    return [block, typeof block.slots[0]] as const
  }) as [readonly [Block, string], readonly [Block, string]]
  expect([older[1], newest[1]]).toEqual(['object', 'object'])
  expect([typeof older[0].slots[0], older[0].row(0, compressor.inflate)]).toEqual(['number', { id: 'row-1' }])
})

test('a table whose rows are read often is not deflated', async () => {
  const compressor = new Compressor({ recentRows: 0, deflate: false })
  const [short, long] = [fill(compressor, 1, ''), fill(compressor, 1, 'x'.repeat(5000))].flat() as [Block, Block]
  compressor.scheduleDeflate(long)
  await deflated()
  expect([short, long].map(({ text, deflated: bytes }) => [text !== undefined, bytes])).toEqual([
    [true, undefined],
    [true, undefined],
  ])
})

test('a block above 8 MiB stays text, because inflating it would block the event loop', async () => {
  const compressor = new Compressor({ recentRows: 0, deflate: true })
  const [small, large] = [7, 9].map((megabytes) => {
    const block = new Block()
    block.set(0, { id: 'a' })
    block.bytes = megabytes * 1024 * 1024
    compressor.enqueue(block)
    return block
  }) as [Block, Block]
  await expect.poll(() => small.deflated).toBeDefined()
  await deflated()
  expect([large.text?.length, large.deflated]).toEqual([expect.any(Number), undefined])
})

/** Adds blocks of whole rows to the compressor, and returns them. */
function fill(compressor: Compressor, count: number, body: string): Block[] {
  const blocks = Array.from({ length: count }, () => new Block())
  for (const block of blocks) {
    for (let slot = 0; slot < BLOCK_ROWS; slot++) block.set(slot, Object.assign({ id: `row-${slot}` }, { body }))
    block.bytes = BLOCK_ROWS * body.length
    compressor.enqueue(block)
  }
  return blocks
}

/** Waits until the thread pool has deflated all blocks. */
async function deflated(): Promise<void> {
  for (let n = 0; n < 400; n++) await turn()
}
