import { expect, test } from 'vitest'
import { StoreDamagedError, StoreFormatError } from '../../../src/store/errors.ts'
import { readState } from '../../../src/store/folder/state-file.ts'
import { memoryDisk } from '../memory-disk.ts'

const FILE = '/home/state.json'
const GOOD = { format: 3, seq: 3, counters: { payments: 2 } }

test.each([[0], [1], [2], [5], [99]])('format %i is refused, older or newer, with what to do', async (format) => {
  await expect(read({ ...GOOD, format })).rejects.toThrow(StoreFormatError)
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
  ['no JSON', '{"format":3,\n"seq":}', 2, /not JSON/],
  ['null', 'null', 1, /expected an object/],
  ['a list', '[]', 1, /expected an object/],
  ['no format', '{"seq":1}', 1, /format: expected a number/],
  ['a bad seq', '{"format":3,\n"seq":-1,"counters":{}}', 2, /seq: expected an integer/],
  ['bad counters', '{"format":3,"seq":1,\n\n"counters":{"payments":"x"}}', 3, /counters/],
  [
    'settings that are no object',
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
    'a sentence as the reason, with one full stop',
    '{"format":3,"seq":1,"counters":{},"settings":{"nope":1}}',
    1,
    /^Unknown setting "nope"$/,
  ],
  [
    'a misspelt key',
    '{"format":3,"seq":1,"counters":{},\n"clocj":{}}',
    2,
    /^clocj: unknown key, did you mean clock\?$/,
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
    /^sped: unknown key, did you mean speed\?$/,
  ],
  [
    'a misspelt counter',
    '{"format":3,"seq":1,"counters":{\n"paymets":4}}',
    2,
    /^paymets: unknown table, did you mean payments\?$/,
  ],
  ['a bad clock', '{"format":3,"seq":1,"counters":{},\n"clock":{"mode":"odd"}}', 2, /clock: expected mode/],
])('%s is named with its line', async (_, text, line, why) => {
  const error = await read(text).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreDamagedError)
  expect(error).toMatchObject({ file: FILE, line, why: expect.stringMatching(why) })
})

function read(content: unknown) {
  const { port } = memoryDisk()
  const fd = port.open(FILE, 'w')
  port.write(fd, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
  return readState(port, FILE)
}
