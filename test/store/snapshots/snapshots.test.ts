import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TABLE_NAMES } from '../../../src/engine/tables.ts'
import type { Store } from '../../../src/store/store.ts'
import { AT, commitOf, contents, OWNERS, put, replaceState, store, temporaryFolder, wholePayment } from '../fixtures.ts'
import { diskError, memoryDisk } from '../memory-disk.ts'

const save = (opened: Store, name: string) => opened.snapshots.save({ name, saved_at: AT }, opened.view())

async function restore(opened: Store, name: string): Promise<void> {
  const found = opened.snapshots.open(name)
  if (found === undefined) throw new Error(`There is no ${name}.`)
  await replaceState(opened, found.source())
}

test.each([['memory'], ['a data directory']])('a snapshot in %s can be restored, listed and removed', async (where) => {
  const folder = where === 'a data directory' ? temporaryFolder() : undefined
  const opened = await store(folder)
  const settings = put('state', { id: 'settings', values: { buyer: 'manual' } })
  opened.append(AT, 'x', commitOf({ puts: [...OWNERS, put('payments', wholePayment(1)), settings] }))
  const before = contents(opened.world)
  await save(opened, 'first')
  opened.append(AT, 'x', commitOf({ clear: [...TABLE_NAMES], puts: [put('rules', { id: 'r' })] }))
  await restore(opened, 'first')
  expect(contents(opened.world)).toEqual(before)
  expect(opened.world.settings.buyer).toBe('manual')
  opened.append(AT, 'x', commitOf({ puts: [put('payments', wholePayment(1, { amount: 7 }))] }))
  await restore(opened, 'first')
  expect(contents(opened.world)).toEqual(before)
  await save(opened, 'a.second_one-2')
  expect(opened.snapshots.list()).toEqual([
    { name: 'a.second_one-2', saved_at: AT },
    { name: 'first', saved_at: AT },
  ])
  expect([opened.snapshots.remove('first'), opened.snapshots.remove('first')]).toEqual([true, false])
  expect(opened.snapshots.open('first')).toBeUndefined()
  await opened.close()
})

test.each([['memory'], ['a data directory']])(
  'the snapshots in %s are listed in the order of their names',
  async (where) => {
    const opened = await store(where === 'a data directory' ? temporaryFolder() : undefined)
    for (const name of ['con', 'a', 'b', 'a-b', 'a.b']) await save(opened, name)
    expect(opened.snapshots.list().map(({ name }) => name)).toEqual(['a', 'a-b', 'a.b', 'b', 'con'])
    await opened.close()
  },
)

test('a snapshot contains the state at the call, even if later commits happen during the write', async () => {
  const opened = await store(temporaryFolder())
  const payments = (from: number, to: number, more: object) =>
    Array.from({ length: to - from }, (_, n) => put('payments', wholePayment(from + n, more)))
  opened.append(AT, 'x', commitOf({ puts: [...OWNERS, ...payments(0, 3000, {})] }))
  const before = contents(opened.world)
  const saved = save(opened, 'one')
  opened.append(AT, 'x', commitOf({ puts: payments(1000, 4000, { amount: 5 }) }))
  opened.append(AT, 'x', commitOf({ deletes: [{ table: 'payments', id: 'pay-7' }] }))
  await saved
  await restore(opened, 'one')
  expect(contents(opened.world)).toEqual(before)
  await opened.close()
})

test('concurrent saves of the same snapshot are written one after the other', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  opened.append(AT, 'x', commitOf({ puts: OWNERS }))
  const saved: Promise<void>[] = []
  for (let n = 0; n < 5; n++) {
    opened.append(AT, 'x', commitOf({ puts: [put('payments', wholePayment(n))] }))
    saved.push(save(opened, 'one'))
  }
  await Promise.all(saved)
  expect(readdirSync(join(folder, 'snapshots'))).toEqual(['one.json'])
  await restore(opened, 'one')
  expect(opened.world.size('payments')).toBe(5)
  await opened.close()
})

test('a snapshot name that leaves the directory is rejected', async () => {
  const opened = await store(temporaryFolder())
  for (const name of ['../x', '', 'A', '.hidden', 'a/b']) await expect(save(opened, name)).rejects.toThrow(RangeError)
  await opened.close()
})

test('a reformatted snapshot can be restored, and a damaged one is rejected with its line', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  opened.append(AT, 'x', commitOf({ puts: [...OWNERS, put('payments', wholePayment(1))] }))
  const before = contents(opened.world)
  await save(opened, 'one')
  const file = join(folder, 'snapshots/one.json')
  const text = readFileSync(file, 'utf8')
  const line = text.split('\n').findIndex((each) => each.includes('pay-1')) + 1
  for (const [damaged, why] of [
    [text.replace('"amount":2,', '"amount":,'), 'not JSON'],
    [text.replace('"id":"pay-1"', '"ident":1'), 'tables.payments[0].id: expected'],
    [text.replace('"amount":2,', '"amount":2,"amuont":2,'), 'expected no field amuont'],
    [text.replace('"format":1', '"format":9'), 'format: expected 1, found 9'],
    [text.replace('"saved_at"', '"savedat"'), 'savedat: unknown key (did you mean saved_at?)'],
    [text.replace('"rules":[', '"ruels":['), 'tables.ruels: this table does not exist (did you mean rules?)'],
  ] as const) {
    writeFileSync(file, damaged)
    const failure = await restore(opened, 'one').catch((error) => error)
    expect([failure.name, failure.message]).toEqual(['StateTextError', expect.stringContaining(why)])
    if (why.includes('payments') || why === 'not JSON') expect(failure.line).toBe(line)
    expect(contents(opened.world)).toEqual(before)
    expect(readdirSync(folder).filter((name) => name.startsWith('pages'))).toEqual(['pages'])
  }
  writeFileSync(file, JSON.stringify(JSON.parse(text), null, 2))
  await restore(opened, 'one')
  expect(contents(opened.world)).toEqual(before)
  await opened.close()
})

test('a snapshot with the same id twice is rejected with the line of the second row', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  const imported = (letter: string) =>
    put('imported_events', {
      id: `imp_${letter.repeat(24)}`,
      event_id: 'evt_1',
      event: 'payment.succeeded',
      created_at: AT,
      received_at: AT,
      source: 'a.har entry 1',
      signature: 'valid',
      body: '{"id":"evt_1","event":"payment.succeeded","data":{}}',
    })
  opened.append(AT, 'x', commitOf({ puts: [...OWNERS, imported('a'), imported('b')] }))
  await save(opened, 'one')
  const file = join(folder, 'snapshots/one.json')
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace('imp_bbbbbbbbbbbbbbbbbbbbbbbb', 'imp_aaaaaaaaaaaaaaaaaaaaaaaa'))
  const failure = await restore(opened, 'one').catch((error) => error)
  expect(failure.message).toBe('tables.imported_events[1].id: imp_aaaaaaaaaaaaaaaaaaaaaaaa exists twice')
  expect(failure.line).toBe(text.split('\n').findIndex((line) => line.includes('imp_b')) + 1)
  await opened.close()
})

test.each([['con'], ['nul'], ['com1'], ['aux.old']])(
  'the file of a snapshot is never named like the Windows device %s',
  async (name) => {
    const folder = temporaryFolder()
    const opened = await store(folder)
    await save(opened, name)
    expect(readdirSync(join(folder, 'snapshots'))).toEqual([`_${name}.json`])
    expect(opened.snapshots.list()).toEqual([{ name, saved_at: AT }])
    expect(opened.snapshots.open(name)).toBeDefined()
    expect(opened.snapshots.remove(name)).toBe(true)
    await opened.close()
  },
)

test('a snapshot that cannot be written fails with the reason, prints it, and leaves no file', async () => {
  const disk = memoryDisk()
  const notices: string[] = []
  const opened = await store('/home/.psp', { fs: disk.port, notice: (text) => notices.push(text) })
  disk.before = (call) => (call.startsWith('write snapshots/') ? { taken: 10, error: diskError('ENOSPC') } : undefined)
  await expect(save(opened, 'a')).rejects.toMatchObject({ name: 'StoreUnavailableError' })
  disk.before = () => undefined
  expect(notices).toEqual([expect.stringMatching(/snapshots\/a\.json could not be written: the disk is full/)])
  expect(disk.port.list('/home/.psp/snapshots')).toEqual([])
  await opened.close()
})
