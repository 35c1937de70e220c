import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreDamagedError, StoreFormatError } from '../../../src/store/errors.ts'
import { readState } from '../../../src/store/folder/state-file.ts'
import { markKilled, openingError, storeMerchants, temporaryFolder } from '../fixtures.ts'
import { memoryDisk } from '../memory-disk.ts'

const FILE = '/home/state.json'
const GOOD = { format: 3, seq: 3, counters: { payments: 2 } }

test.each([[0], [1], [2], [5], [99]])('the format %i is rejected with advice', async (format) => {
  await expect(read({ ...GOOD, format })).rejects.toMatchObject({ name: 'StoreFormatError' })
  await expect(read({ ...GOOD, format })).rejects.toThrow(
    `${FILE} has format ${format}, and this version of psp reads formats 3 and 4. Nothing was changed. Export it with the version that wrote it`,
  )
})

test.each([
  [
    'a setting beyond its bounds',
    '{"format":3,"seq":1,"counters":{},"settings":{\n"link_ttl":"99999999d"}}',
    2,
    /of at most 36500d/,
  ],
  [
    'a clock beyond all time',
    '{"format":3,"seq":1,"counters":{},\n"clock":{"mode":"frozen","speed":1,"virtual":253402300800000,"wall":1}}',
    2,
    /clock: expected/,
  ],
  ['invalid JSON', '{"format":3,\n"seq":}', 2, /not JSON/],
  ['null', 'null', 1, /expected an object/],
  ['a list', '[]', 1, /expected an object/],
  ['no format', '{"seq":1}', 1, /format: expected a number/],
  ['a bad seq', '{"format":3,\n"seq":-1,"counters":{}}', 2, /seq: expected an integer/],
  [
    'a checksum that is not a number',
    '{"format":3,"seq":1,\n"seq_crc":"x","counters":{}}',
    2,
    /^seq_crc: expected an integer$/,
  ],
  [
    'a pages directory outside of the data directory',
    '{"format":3,"seq":1,"counters":{},\n"pages_folder":"../pages"}',
    2,
    /^pages_folder: expected the name of a directory such as pages-000000000012$/,
  ],
  ['bad counters', '{"format":3,"seq":1,\n\n"counters":{"payments":"x"}}', 3, /counters/],
  [
    'settings that are not an object',
    '{"format":3,"seq":1,"counters":{},\n"settings":[]}',
    2,
    /settings: expected an object/,
  ],
  [
    'an unknown setting',
    '{"format":3,"seq":1,"counters":{},"settings":{\n"delays.bonk":"1s"}}',
    2,
    /did you mean delays\.bank/,
  ],
  [
    'an unknown setting without a similar name',
    '{"format":3,"seq":1,"counters":{},"settings":{"nope":1}}',
    1,
    /^Unknown setting "nope"$/,
  ],
  [
    'a misspelt key',
    '{"format":3,"seq":1,"counters":{},\n"clocj":{}}',
    2,
    /^clocj: unknown key \(did you mean clock\?\)$/,
  ],
  [
    'an unknown key',
    '{"format":3,"seq":1,"counters":{},\n"owner":"me"}',
    2,
    /^owner: unknown key; known are format, seq/,
  ],
  [
    'a misspelt key of the clock',
    '{"format":3,"seq":1,"counters":{},\n"clock":{"mode":"real","speed":1,"virtual":1,"wall":1,"sped":2}}',
    2,
    /^sped: unknown key \(did you mean speed\?\)$/,
  ],
  [
    'a misspelt counter',
    '{"format":3,"seq":1,"counters":{\n"paymets":4}}',
    2,
    /^paymets: unknown table \(did you mean payments\?\)$/,
  ],
  ['a bad clock', '{"format":3,"seq":1,"counters":{},\n"clock":{"mode":"odd"}}', 2, /clock: expected mode/],
])('a state.json with %s is rejected with its line', async (_, text, line, why) => {
  const error = await read(text).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreDamagedError)
  expect(error).toMatchObject({ file: FILE, line, why: expect.stringMatching(why) })
})

test('a changed seq is rejected with what to do', async () => {
  const folder = temporaryFolder()
  await storeMerchants(folder, 0, 1)
  const state = join(folder, 'state.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('"seq": 1', '"seq": 2'))
  const { message } = await openingError(folder)
  expect(message).toBe(
    `${state}:3: seq, seq_crc, counters, pages, pages_folder or crc was changed by hand: only the other fields may be changed. Nothing was changed. Put them back as they were. If you do not know the old values, move the file away: the next start says what to write instead.`,
  )
})

test.each([[2], [5]])('opening a data directory of format %i changes no file, date or lock', async (format) => {
  const folder = temporaryFolder()
  await storeMerchants(folder, 0, 1)
  // A process that was killed leaves its lock. The journal directory is missing, so that creating it would be noticed.
  markKilled(folder)
  rmSync(join(folder, 'journal'), { recursive: true })
  const state = join(folder, 'state.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('"format": 3', `"format": ${format}`))

  const before = entriesOf(folder)
  const error = await openingError(folder, { durable: true })
  expect(error).toBeInstanceOf(StoreFormatError)
  expect(error.message).toMatch(
    /Export it with the version that wrote it .*import that here into another data directory/,
  )
  expect(entriesOf(folder)).toEqual(before)
})

/** Returns the names and dates of all files and directories, including the data directory. */
function entriesOf(folder: string) {
  return ['.', ...readdirSync(folder, { recursive: true }).map(String).sort()].map((name) => {
    const { ino, mtimeNs, ctimeNs } = lstatSync(join(folder, name), { bigint: true })
    return { name, ino, mtimeNs, ctimeNs }
  })
}

function read(content: unknown) {
  const { port } = memoryDisk()
  const fd = port.open(FILE, 'w')
  port.write(fd, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
  return readState(port, FILE)
}
