import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Put } from '../../../src/engine/commit.ts'
import { TABLE_NAMES } from '../../../src/engine/tables.ts'
import type { StoredTables } from '../../../src/store/snapshots/snapshots.ts'
import { AT, commitOf, contents, payment, put, store, temporaryFolder } from '../fixtures.ts'

test.each([['memory'], ['folder']])('a snapshot in %s brings a state back', async (where) => {
  const folder = where === 'folder' ? temporaryFolder() : undefined
  const opened = await store(folder)
  opened.append(
    AT,
    'x',
    commitOf({ puts: [put('payments', payment(1)), put('state', { id: 'settings', values: { buyer: 'manual' } })] }),
  )
  const before = contents(opened.world)
  expect(opened.snapshots.save('first')).toEqual({ name: 'first', saved_at: AT })
  opened.append(AT, 'x', commitOf({ clear: [...TABLE_NAMES], puts: [put('rules', { id: 'r' })] }))
  opened.append(AT, 'restore', restoring(opened.snapshots.load('first')))
  expect(contents(opened.world)).toEqual(before)
  expect(opened.world.settings.buyer).toBe('manual')
  opened.snapshots.save('a.second_one-2')
  expect(opened.snapshots.list()).toEqual([
    { name: 'a.second_one-2', saved_at: AT },
    { name: 'first', saved_at: AT },
  ])
  expect([opened.snapshots.remove('first'), opened.snapshots.remove('first')]).toEqual([true, false])
  expect(opened.snapshots.load('first')).toBeUndefined()
  await opened.close()
})

test('what is exported comes back by one commit, also into another store', async () => {
  const source = await store(undefined)
  for (let n = 0; n < 2000; n++) source.append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  const exported = JSON.parse(JSON.stringify(source.exportAll()))
  expect(Object.keys(exported)).toEqual(TABLE_NAMES)
  const folder = temporaryFolder()
  const target = await store(folder)
  target.append(AT, 'import', restoring(exported))
  expect(contents(target.world)).toEqual(contents(source.world))
  await target.close()
  const again = await store(folder)
  expect(contents(again.world)).toEqual(contents(source.world))
  await again.close()
})

test('a name that leaves the folder is refused', async () => {
  const opened = await store(temporaryFolder())
  for (const name of ['../x', '', 'A', '.hidden', 'a/b']) expect(() => opened.snapshots.save(name)).toThrow(RangeError)
  await opened.close()
})

test('a snapshot that people formatted is read, a damaged one is named with its line', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
  opened.snapshots.save('one')
  const file = join(folder, 'snapshots/one.json')
  const text = readFileSync(file, 'utf8')
  const line = text.split('\n').findIndex((each) => each.includes('pay-1')) + 1
  writeFileSync(file, text.replace('"amount":1,', '"amount":,'))
  expect(() => opened.snapshots.load('one')).toThrow(`${file}:${line}: not JSON`)
  writeFileSync(file, JSON.stringify(JSON.parse(text), null, 2))
  expect(opened.snapshots.load('one')?.payments).toEqual([payment(1)])
  writeFileSync(file, text.replace('"id":"pay-1"', '"ident":1'))
  expect(() => opened.snapshots.load('one')).toThrow(`${file}:${line}: expected a row with an id`)
  writeFileSync(file, text.replace('"format":1', '"format":9'))
  expect(() => opened.snapshots.load('one')).toThrow(/format: expected 1, found 9/)
  await opened.close()
})

function restoring(tables: StoredTables | undefined) {
  const puts = Object.entries(tables ?? {}).flatMap(([table, rows]) =>
    rows.map((row) => ({ table, row }) as unknown as Put),
  )
  return commitOf({ clear: [...TABLE_NAMES], puts })
}

test.each([['con'], ['nul'], ['com1'], ['aux.old']])(
  'no file is called as a device of Windows is: %s',
  async (name) => {
    const folder = temporaryFolder()
    const opened = await store(folder)
    opened.snapshots.save(name)
    expect(readdirSync(join(folder, 'snapshots'))).toEqual([`_${name}.json`])
    expect(opened.snapshots.list()).toEqual([{ name, saved_at: AT }])
    expect(opened.snapshots.load(name)).toBeDefined()
    expect(opened.snapshots.remove(name)).toBe(true)
    await opened.close()
  },
)
