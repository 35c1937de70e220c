import { expect, test } from 'vitest'
import { StoreDamaged, StoreFormat } from '../../src/store/errors.ts'
import { MIGRATIONS } from '../../src/store/migrations.ts'
import { readState } from '../../src/store/state-file.ts'
import { memoryDisk } from './memory-disk.ts'

const FILE = '/home/state.json'
const GOOD = { format: 1, seq: 3, counters: { payments: 2 } }

test('an older format is brought forward, step by step', async () => {
  const steps = [
    { from: -1, migrate: (state: object) => ({ ...state, format: 0, counters: {} }) },
    { from: 0, migrate: (state: object) => ({ ...state, format: 1, seq: 7 }) },
    ...MIGRATIONS,
  ]
  expect(await read({ format: -1 }, steps)).toEqual({ format: 3, seq: 7, counters: {} })
  expect(await read({ format: 0, counters: { rules: 1 } }, steps)).toEqual({
    format: 3,
    seq: 7,
    counters: { rules: 1 },
  })
  expect(await read(GOOD, steps)).toEqual({ ...GOOD, format: 3 })
})

test.each([[0], [4], [99]])('format %i is refused in words', async (format) => {
  await expect(read({ ...GOOD, format })).rejects.toThrow(StoreFormat)
  await expect(read({ ...GOOD, format })).rejects.toThrow(`${FILE} has format ${format}`)
})

test.each([
  [
    'a clock beyond all time',
    '{"format":1,"seq":1,"counters":{},\n"clock":{"mode":"frozen","speed":1,"virtual":1e300,"wall":1}}',
    2,
    /clock: expected/,
  ],
  ['no JSON', '{"format":1,\n"seq":}', 2, /not JSON/],
  ['null', 'null', 1, /expected an object/],
  ['a list', '[]', 1, /expected an object/],
  ['no format', '{"seq":1}', 1, /format: expected a number/],
  ['a bad seq', '{"format":1,\n"seq":-1,"counters":{}}', 2, /seq: expected an integer/],
  ['bad counters', '{"format":1,"seq":1,\n\n"counters":{"payments":"x"}}', 3, /counters/],
  [
    'settings that are no object',
    '{"format":1,"seq":1,"counters":{},\n"settings":[]}',
    2,
    /settings: expected an object/,
  ],
  [
    'an unknown setting',
    '{"format":1,"seq":1,"counters":{},"settings":{\n"delays.bonk":"1s"}}',
    2,
    /did you mean delays\.bank/,
  ],
  [
    'a sentence as the reason, with one full stop',
    '{"format":1,"seq":1,"counters":{},"settings":{"nope":1}}',
    1,
    /^Unknown setting "nope"$/,
  ],
  ['a bad clock', '{"format":1,"seq":1,"counters":{},\n"clock":{"mode":"odd"}}', 2, /clock: expected mode/],
])('%s is named with its line', async (_, text, line, why) => {
  const error = await read(text).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreDamaged)
  expect(error).toMatchObject({ file: FILE, line, why: expect.stringMatching(why) })
})

function read(content: unknown, steps?: Parameters<typeof readState>[2]) {
  const { port } = memoryDisk()
  const fd = port.open(FILE, 'w')
  port.write(fd, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
  return readState(port, FILE, steps)
}
