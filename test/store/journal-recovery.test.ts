import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreDamagedError } from '../../src/store/errors.ts'
import {
  AT,
  commitOf,
  contents,
  dataFilesOf,
  markKilled,
  openingError,
  payment,
  put,
  store,
  temporaryFolder,
} from './fixtures.ts'

test('committed changes survive a kill', async () => {
  const folder = temporaryFolder()
  const first = await store(folder)
  first.append(AT, 'create', commitOf({ puts: [put('payments', payment(1)), put('timers', { id: 't:1' })] }))
  first.append(
    AT,
    'change',
    commitOf({ puts: [put('payments', payment(1, { amount: 7 }))], deletes: [{ table: 'timers', id: 't:1' }] }),
  )
  const before = contents(first.world)
  markKilled(folder)
  const second = await store(folder)
  expect(contents(second.world)).toEqual(before)
  expect(second.lastLine).toBe(2)
})

test('a torn last line is dropped with a notice, and the next commit takes its place', async () => {
  const { folder, file } = await written(3)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, bytes.length - 5))
  markKilled(folder)
  const notices: string[] = []
  const second = await store(folder, { notice: (text) => notices.push(text) })
  expect(notices).toEqual([expect.stringMatching(/000000000001\.ndjson:3: dropped \d+ bytes/)])
  expect(second.world.size('payments')).toBe(2)
  second.append(AT, 'create', commitOf({ puts: [put('payments', payment(9))] }))
  markKilled(folder)
  expect((await store(folder)).world.get('payments', 'pay-9')).toMatchObject({ amount: 9 })
})

test('a last line without its newline is kept, and the next commit gets a separate line', async () => {
  const { folder, file } = await written(3)
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, -1))
  markKilled(folder)
  const notices: string[] = []
  const second = await store(folder, { notice: (text) => notices.push(text) })
  expect([notices, second.world.size('payments'), second.lastLine]).toEqual([[], 3, 3])
  expect(readFileSync(file)).toEqual(bytes)
  second.append(AT, 'create', commitOf({ puts: [put('payments', payment(9))] }))
  markKilled(folder)
  const third = await store(folder)
  expect([third.lastLine, third.world.get('payments', 'pay-9')]).toEqual([4, payment(9)])
  await third.close()
  expect(readFileSync(join(folder, 'pages/payments/000000.json'), 'utf8').match(/"id":"pay-/g)).toHaveLength(4)
})

test('the start succeeds if an earlier journal file lacks its last newline', async () => {
  const { folder, file } = await written(2)
  const [first = '', second = ''] = readFileSync(file, 'utf8').split('\n')
  writeFileSync(file, first)
  writeFileSync(join(folder, 'journal/000000000002.ndjson'), `${second}\n`)
  markKilled(folder)
  const opened = await store(folder)
  expect([...opened.world.rows('payments')]).toEqual([payment(1), payment(2)])
  await opened.close()
  expect(readFileSync(join(folder, 'pages/payments/000000.json'), 'utf8').match(/"id":"pay-/g)).toHaveLength(2)
})

test.each([
  ['a changed byte', (text: string) => text.replace('"amount":2', '"amount":3'), 2, /checksum/],
  ['a whole last line with a bad checksum', (text: string) => text.replace(/\d\}\n$/, 'x}\n'), 3, /checksum/],
  ['a missing line', (text: string) => text.split('\n').toSpliced(1, 1).join('\n'), 2, /expected line 2/],
  [
    'a repeated line',
    (text: string) =>
      text
        .split('\n')
        .toSpliced(1, 0, text.split('\n')[0] as string)
        .join('\n'),
    2,
    /expected line 2/,
  ],
  ['an empty line', (text: string) => `\n${text}`, 1, /no checksum/],
])('the start fails for %s, names the line and changes nothing', async (_, damage, line, why) => {
  const { folder, file } = await written(3)
  writeFileSync(file, damage(readFileSync(file, 'utf8')))
  markKilled(folder)
  const before = dataFilesOf(folder)
  const error = await openingError(folder)
  expect(error).toBeInstanceOf(StoreDamagedError)
  expect(error).toMatchObject({ file, line, why: expect.stringMatching(why) })
  expect(dataFilesOf(folder)).toEqual(before)
})

test('the start fails if a journal file between others is missing', async () => {
  const { folder, file } = await written(1)
  writeFileSync(join(folder, 'journal/000000000003.ndjson'), readFileSync(file))
  markKilled(folder)
  await expect(store(folder)).rejects.toThrow(/000000000003\.ndjson:1: lines 2 to 2 of the journal are missing/)
})

test('settings that were edited by hand are used, and an invalid one is reported with its line', async () => {
  const folder = temporaryFolder()
  await (await store(folder)).close()
  const state = join(folder, 'state.json')
  writeFileSync(state, '{"format":3,"seq":0,"counters":{},\n"settings":{"delays.bank":"2s"}}')
  const edited = await store(folder)
  expect(edited.world.settings['delays.bank']).toBe(2000)
  await edited.close()
  writeFileSync(state, '{"format":3,"seq":0,"counters":{},\n"settings":{"delays.bank":2}}')
  await expect(store(folder)).rejects.toMatchObject({ file: state, line: 2, why: expect.stringMatching(/duration/) })
})

test('only the owner can read the files', async () => {
  const { folder, file } = await written(1)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of [file, join(folder, 'lock'), join(folder, 'state.json')])
    expect(statSync(name).mode & 0o777).toBe(0o600)
})

async function written(count: number) {
  const folder = temporaryFolder()
  const first = await store(folder)
  for (let n = 1; n <= count; n++) first.append(AT, 'create', commitOf({ puts: [put('payments', payment(n))] }))
  return { folder, file: join(folder, 'journal/000000000001.ndjson') }
}
