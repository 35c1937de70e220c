// The key of the pseudonyms in the data directory. A damaged key would silently give different pseudonyms.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDir, psp, startPsp, waitUntil } from './helpers.ts'

const EVENT = '{"id":"evt_1","event":"payment.succeeded","data":{"id":"pay_1","metadata":{"customer":"Ivan Petrov"}}}\n'

let dir: ReturnType<typeof createTestDir>
let key: string
beforeEach(() => {
  dir = createTestDir()
  mkdirSync(join(dir.path, '.psp'))
  key = join(dir.path, '.psp/pseudonym-key')
  writeFileSync(join(dir.path, 'a.ndjson'), EVENT)
})
afterEach(() => dir.remove())

test.each([
  ['is empty', '\n', 'it has 0 of at least 32 characters'],
  ['is cut off', 'abcdefghijklmnop', 'it has 16 of at least 32 characters'],
  ['is too long', 'a'.repeat(2 ** 20 + 1), 'it is longer than 1 MiB'],
])(
  'a pseudonym key that %s is refused by `events import` and `record`, and is not changed',
  async (_, content, why) => {
    writeFileSync(key, content)
    for (const line of ['events import a.ndjson', 'record --to http://127.0.0.1:9 --port 0 --out a.har']) {
      const { code, stdout, stderr } = await psp(line, { cwd: dir.path })
      expect(code).toBe(1)
      expect(stdout).toBe('')
      expect(stderr).toContain(`error ${key} is damaged: ${why}.`)
      expect(stderr).toContain(
        'Restore the file from a backup, or delete it: later imports then get different pseudonyms.',
      )
    }
    expect(readFileSync(key, 'utf8')).toBe(content)
  },
)

test('a pseudonym key that is a folder is refused', async () => {
  mkdirSync(key)
  const { code, stderr } = await psp('events import a.ndjson', { cwd: dir.path })
  expect(code).toBe(1)
  expect(stderr).toContain('pseudonym-key is damaged: ')
})

test('a missing pseudonym key is created once, and used again', async () => {
  expect((await psp('events import a.ndjson --secret whs_x', { cwd: dir.path })).code).not.toBe(1)
  const created = readFileSync(key, 'utf8')
  expect(created).toMatch(/^\w{32}\n$/)
  await psp('events import a.ndjson --secret whs_x', { cwd: dir.path })
  expect(readFileSync(key, 'utf8')).toBe(created)
})

test('an order that is not found without the key of the import names the missing file and --data', async () => {
  const event = { id: 'evt_1', event: 'payment.succeeded', data: { id: 'pay_1', order_id: 'booking-44', amount: 100 } }
  writeFileSync(join(dir.path, 'a.ndjson'), `${JSON.stringify(event)}\n`)
  const order = ['--imported', '--order', 'booking-44']
  const commands = [
    ['events', 'list', ...order],
    ['events', 'export', ...order, '--scenario', 'story.json'],
    ['events', 'replay', ...order, '--to', '127.0.0.1:9'],
  ]
  const notes = async () => {
    const found: (string | undefined)[] = []
    for (const argv of commands) found.push(/If an import .*/.exec((await psp(argv, { cwd: dir.path })).stderr)?.[0])
    return found
  }
  expect(await notes()).toEqual([undefined, undefined, undefined])
  expect((await psp('events import a.ndjson', { cwd: dir.path })).code).toBe(0)
  writeFileSync(key, 'another key for pseudonyms, of 40 bytes.')
  const other = `If an import has masked the number of this order, that import used another key than ${key}. Name the data directory of the import with --data.`
  expect(await notes()).toEqual([other, other, other])
  rmSync(key)
  const missing = `If an import has masked the number of this order, psp cannot find it without the key of the pseudonyms: ${key} does not exist. Name the data directory of the import with --data.`
  expect(await notes()).toEqual([missing, missing, missing])
})

test('`psp record` says if the key of its pseudonyms is not stored, unless it keeps personal data', async () => {
  const record = async (...flags: string[]) => {
    const argv = ['record', '--to', 'http://127.0.0.1:9', '--port', '0', '--out', 'a.har', '--force', ...flags]
    const running = startPsp(argv, { cwd: dir.path })
    await waitUntil(() => running.errors().includes('Ready.'))
    running.signal('SIGINT')
    return (await running.ended).stderr
  }
  const folder = join(dir.path, '.psp')
  const note = (why: string) =>
    `The key of the pseudonyms is not stored, because ${why}. Another recording or import gets other pseudonyms. To keep the key, name an existing data directory with --data.`
  expect(await record()).not.toContain('is not stored')
  rmSync(folder, { recursive: true })
  const missing = note(`the data directory ${folder} does not exist`)
  expect((await record()).split('\n')).toContain(missing)
  // A link to nowhere cannot be written, also by root.
  mkdirSync(folder)
  symlinkSync(join(dir.path, 'missing', 'key'), key)
  expect((await record()).split('\n')).toContain(note(`${key} cannot be written`))
  expect(await record('--keep-personal-data')).not.toContain('is not stored')
})

test.each(['inc-1', 'booking-44', 'SO-000123', 'Order 12'])(
  'the imported events of the order %s are found although its number was masked',
  async (order) => {
    const event = { id: 'evt_1', event: 'payment.succeeded', data: { id: 'pay_1', order_id: order, amount: 100 } }
    writeFileSync(join(dir.path, 'a.ndjson'), `${JSON.stringify(event)}\n`)
    const run = (...argv: string[]) => psp(argv, { cwd: dir.path })
    expect((await run('events', 'import', 'a.ndjson')).code).toBe(0)
    const listed = await run('events', 'list', '--imported', '--order', order, '--json')
    const [{ body }] = JSON.parse(listed.stdout).items
    const { order_id } = JSON.parse(body).data
    expect(order_id).not.toBe(order)
    expect(listed.stderr).toContain(`The import has masked the number of this order: ${order_id}.`)
    const exported = await run('events', 'export', '--imported', '--order', order, '--scenario', 'story.json')
    expect(exported.code).toBe(0)
    const story = readFileSync(join(dir.path, 'story.json'), 'utf8')
    expect(story).toContain(order_id)
    const plan = await run('events', 'replay', '--imported', '--order', order, '--to', 'localhost:9/hooks', '--dry-run')
    expect(plan.stdout).toContain('Would send 1 event to')
    const printed = [listed, exported, plan].map(({ stdout, stderr }) => stdout + stderr)
    for (const text of [story, ...printed]) expect(text).not.toContain(order)
    expect((await run('events', 'list', '--imported', '--order', 'inc-2')).stderr).toContain('Nothing matches')
  },
)
