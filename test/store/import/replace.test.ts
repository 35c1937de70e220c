// A new state is prepared next to the state in use, and one commit replaces it.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StateSource } from '../../../src/store/import/prepare-state.ts'
import type { Store } from '../../../src/store/store.ts'
import { bundleStore } from '../bundle-programs.ts'
import {
  AT,
  commitOf,
  contents,
  exportOf,
  OWNERS,
  put,
  replaceState,
  store,
  temporaryFolder,
  wholePayment,
} from '../fixtures.ts'
import { diskError, memoryDisk } from '../memory-disk.ts'

const refund = (n: number) => ({
  id: `ref-${n}`,
  merchant_id: 'mrc',
  shop_id: 'shp',
  payment_id: `pay-${n}`,
  amount: 1,
  status: 'succeeded',
  created_at: AT,
  plan: { outcome: 'succeeded', decided_by: 'default' },
})

function tablesOf(payments: number, more: object = {}) {
  const rows = (table: string) => OWNERS.flatMap((each) => (each.table === table ? [each.row] : []))
  return {
    merchants: rows('merchants'),
    shops: rows('shops'),
    payments: Array.from({ length: payments }, (_, n) => wholePayment(n, { amount: n + 1 })),
    refunds: Array.from({ length: Math.min(payments, 10) }, (_, n) => refund(n)),
    ...more,
  }
}

const source = (tables: ReturnType<typeof tablesOf>): StateSource => ({ kind: 'export', bytes: exportOf(tables, 5000) })

const pagesFolders = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('pages'))

const add = (opened: Store, n: number) => opened.append(AT, 'x', commitOf({ puts: [put('payments', wholePayment(n))] }))

test('a new state of several pages is found through its indexes, also after a restart', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  add(opened, 9999)
  await replaceState(opened, source(tablesOf(3000)))
  const expected = contents(opened.world)
  expect(Object.keys(expected)).toEqual(['merchants', 'shops', 'payments', 'refunds'])
  expect(opened.world.get('payments', 'pay-2999')).toEqual(wholePayment(2999, { amount: 3000 }))
  expect(opened.world.get('payments', 'pay-9999')).toBeUndefined()
  expect(opened.world.find('refunds', 'by_payment', 'pay-3')).toEqual([refund(3)])
  await opened.checkpoint()
  expect(pagesFolders(folder)).toEqual(['pages-000000000002'])
  expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject({
    format: 4,
    pages_folder: 'pages-000000000002',
  })
  add(opened, 5000)
  await opened.close()
  const again = await store(folder)
  expect(again.world.size('payments')).toBe(3001)
  expect([...again.world.rows('payments')].slice(0, 3000)).toEqual(expected['payments'])
  await replaceState(again, source(tablesOf(2)))
  await again.close()
  expect(pagesFolders(folder)).toHaveLength(1)
  const last = await store(folder)
  expect(last.world.size('payments')).toBe(2)
  await last.close()
})

test('a process that is killed between commit and checkpoint starts with the new state', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder, { checkpointThreshold: Number.MAX_SAFE_INTEGER })
  add(opened, 7)
  await opened.replace(source(tablesOf(1500)), async (prepared) => {
    await opened.append(AT, 'import_state', { ...commitOf({ clear: ['payments'], puts: [] }), prepared })
    add(opened, 5000)
    cpSync(folder, `${folder}-killed`, { recursive: true })
  })
  const again = await store(`${folder}-killed`)
  expect(again.world.size('payments')).toBe(1501)
  expect(again.world.get('payments', 'pay-7')).toMatchObject({ amount: 8 })
  expect(pagesFolders(`${folder}-killed`)).toEqual(['pages-000000000002'])
  await again.close()
  await opened.close()
})

test('the old state is in use until the commit, which also replaces commits during the preparation', async () => {
  const opened = await store(temporaryFolder(), { nextTurn: (fn) => void setImmediate(fn) })
  add(opened, 7000)
  async function* slow() {
    for await (const piece of exportOf(tablesOf(2000), 20_000)) {
      add(opened, 7001)
      expect(opened.world.get('payments', 'pay-7001')).toBeDefined()
      yield piece
    }
  }
  await replaceState(opened, { kind: 'export', bytes: slow() })
  expect(opened.world.size('payments')).toBe(2000)
  await opened.close()
})

test('a replacement that waits for its text does not delay another one', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  let go = () => {}
  async function* slow() {
    const pieces: Uint8Array[] = []
    for await (const piece of exportOf(tablesOf(1500))) pieces.push(piece)
    const [first, ...rest] = pieces
    yield first as Uint8Array
    await new Promise<void>((resolve) => {
      go = resolve
    })
    yield* rest
  }
  const first = replaceState(opened, { kind: 'export', bytes: slow() })
  await replaceState(opened, source(tablesOf(3)))
  expect(opened.world.size('payments')).toBe(3)
  go()
  await first
  expect(opened.world.size('payments')).toBe(1500)
  await opened.close()
  expect(pagesFolders(folder)).toHaveLength(1)
  const again = await store(folder)
  expect(again.world.size('payments')).toBe(1500)
  await again.close()
})

test('the last commit of concurrent replacements wins', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  const order: number[] = []
  await Promise.all(
    [1500, 3, 2].map(async (count) => {
      await replaceState(opened, source(tablesOf(count)))
      order.push(count)
    }),
  )
  expect(opened.world.size('payments')).toBe(order.at(-1))
  await opened.close()
  expect(pagesFolders(folder)).toHaveLength(1)
})

test.each<[string, (opened: Store) => Promise<void>, RegExp]>([
  [
    'has an invalid last row',
    (opened) => replaceState(opened, source(tablesOf(1500, { rules: [{ id: 'r' }] }))),
    /^tables\.rules\[0\]/,
  ],
  [
    'has the same row twice',
    (opened) => replaceState(opened, source(tablesOf(1500, { timers: [timer('a'), timer('a')] }))),
    /^tables\.timers\[1\]\.id: link_timeout:a exists twice$/,
  ],
  [
    'is incomplete',
    (opened) => replaceState(opened, { kind: 'export', bytes: cut(exportOf(tablesOf(3000))) }),
    /the text ends too early/,
  ],
  [
    'ends with an error',
    (opened) => replaceState(opened, { kind: 'export', bytes: broken(exportOf(tablesOf(3000))) }),
    /the client is gone/,
  ],
  [
    'is rejected by the commit',
    (opened) =>
      opened.replace(source(tablesOf(1500)), async () => {
        throw new Error('no commit')
      }),
    /no commit/,
  ],
  [
    'is aborted',
    async (opened) => {
      const ended = new AbortController()
      async function* bytes() {
        yield* cut(exportOf(tablesOf(3000)))
        ended.abort(new Error('the server stops'))
        await new Promise(() => {})
      }
      await replaceState(opened, { kind: 'export', bytes: bytes() }, ended.signal)
    },
    /the server stops/,
  ],
])('a replacement whose text %s leaves nothing behind', async (_, replace, why) => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  add(opened, 7)
  const before = contents(opened.world)
  await expect(replace(opened)).rejects.toThrow(why)
  expect(contents(opened.world)).toEqual(before)
  expect(pagesFolders(folder)).toEqual(['pages'])
  await replaceState(opened, source(tablesOf(2)))
  expect(opened.world.size('payments')).toBe(2)
  await opened.close()
})

test('a replacement on a full disk fails with the reason, prints it, and keeps the state before', async () => {
  const disk = memoryDisk()
  const notices: string[] = []
  const opened = await store('/home/.psp', { fs: disk.port, notice: (text) => notices.push(text) })
  add(opened, 7)
  const before = contents(opened.world)
  disk.before = (call) => (call.startsWith('write pages-') ? { taken: 100, error: diskError('ENOSPC') } : undefined)
  await expect(replaceState(opened, source(tablesOf(1500)))).rejects.toMatchObject({
    name: 'StoreUnavailableError',
    message: expect.stringMatching(/^The state could not be stored: the disk is full.* Nothing was changed\.$/),
  })
  disk.before = () => undefined
  expect(notices).toEqual([expect.stringMatching(/^The state could not be stored: the disk is full/)])
  expect(contents(opened.world)).toEqual(before)
  expect(disk.port.list('/home/.psp/pages-000000000002/payments')).toEqual([])
  await opened.close()
})

test('closing the store ends a replacement that waits for its text', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  async function* endless() {
    yield Buffer.from('{"format":"psp-sandbox/1",')
    await new Promise(() => {})
  }
  const replaced = replaceState(opened, { kind: 'export', bytes: endless() })
  replaced.catch(() => {})
  await opened.close()
  await expect(replaced).rejects.toThrow('The store is closed.')
  expect(pagesFolders(folder)).toEqual(['pages'])
})

test('a checkpoint after many replacements leaves one pages directory', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  for (let n = 1; n <= 20; n++) await replaceState(opened, source(tablesOf(n)))
  await opened.checkpoint()
  expect(pagesFolders(folder)).toHaveLength(1)
  for (let n = 1; n <= 3; n++) await replaceState(opened, source(tablesOf(n)))
  await opened.close()
  expect(pagesFolders(folder)).toHaveLength(1)
})

test('rows with another order of fields are found by each field', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  const sorted = (row: object) => Object.fromEntries(Object.entries({ ...row }).sort(([a], [b]) => (a < b ? -1 : 1)))
  const tables = tablesOf(3)
  const payments = tables.payments.map((row) => sorted({ ...row, metadata: { id: 'x', status: 'paid' } }))
  await replaceState(opened, source({ ...tables, payments, refunds: tables.refunds.map(sorted) } as typeof tables))
  await opened.close()
  const again = await store(folder)
  expect([...again.world.rowsWith('payments', 'status', ['pending'])]).toHaveLength(3)
  expect(again.world.find('refunds', 'by_payment', 'pay-2')).toHaveLength(1)
  expect(again.world.get('payments', 'pay-1')).toEqual(payments[1])
  await again.close()
})

test('the error for a lost state.json says what to write, and the next start then uses the pages', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  await replaceState(opened, source(tablesOf(2)))
  await opened.close()
  rmSync(join(folder, 'state.json'))
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', file: join(folder, 'state.json') })
  const [advised = ''] = /\{"format.*\}(?= into it)/.exec(error.message) ?? []
  writeFileSync(join(folder, 'state.json'), advised)
  const again = await store(folder)
  expect(again.world.size('payments')).toBe(2)
  await again.close()
})

test('the start fails if a pages directory that only the journal names is missing', async () => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  add(opened, 7)
  await opened.replace(source(tablesOf(2)), async (prepared) => {
    await opened.append(AT, 'import_state', { ...commitOf({ clear: ['payments'] }), prepared })
    cpSync(folder, `${folder}-copy`, { recursive: true })
  })
  await opened.close()
  rmSync(join(`${folder}-copy`, 'pages-000000000002'), { recursive: true })
  const error = await store(`${folder}-copy`).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'StoreDamagedError', why: expect.stringContaining('the file is missing') })
  // Follow the advice of the message.
  rmSync(join(`${folder}-copy`, 'journal/000000000002.ndjson'))
  rmSync(join(`${folder}-copy`, 'newest-journal'))
  const again = await store(`${folder}-copy`)
  expect(again.world.get('payments', 'pay-7')).toBeDefined()
  await again.close()
})

test('a directory with a similar name that psp did not create is kept', async () => {
  const folder = temporaryFolder()
  await (await store(folder)).close()
  for (const name of ['pages-backup', 'pages-2024', 'pages-000000000009']) mkdirSync(join(folder, name))
  await (await store(folder)).close()
  expect(pagesFolders(folder)).toEqual(['pages', 'pages-2024', 'pages-backup'])
})

test('the built store reads the text in a thread', async () => {
  const { open, folder, program } = await openBuilt()
  const opened = await open(folder)
  await replaceState(opened, source(tablesOf(2100)))
  expect(opened.world.size('payments')).toBe(2100)
  expect(opened.world.get('payments', 'pay-2099')).toEqual(wholePayment(2099, { amount: 2100 }))
  const faulty = tablesOf(1100, { rules: [{ id: 'r' }] })
  await expect(replaceState(opened, source(faulty))).rejects.toMatchObject({
    name: 'StateTextError',
    message: expect.stringMatching(/^tables\.rules\[0\]/),
    line: 1,
  })
  expect(opened.world.size('payments')).toBe(2100)
  await opened.close()
  const again = await store(folder)
  expect(again.world.size('payments')).toBe(2100)
  await again.close()

  const inMemory = await open(undefined)
  await replaceState(inMemory, source(tablesOf(1100)))
  expect(inMemory.world.size('payments')).toBe(1100)
  await inMemory.close()

  writeFileSync(program, 'throw new Error("an error of the test")')
  const failing = await open(folder)
  await expect(replaceState(failing, source(tablesOf(1100)))).rejects.toThrow('an error of the test')
  expect(failing.world.size('payments')).toBe(2100)
  await failing.close()
  expect(pagesFolders(folder)).toHaveLength(1)
})

test('the built store reads a state of 64 KiB without a thread, and a larger one in a thread', async () => {
  const { open, folder, program } = await openBuilt()
  writeFileSync(program, 'throw new Error("an error of the test")')
  const opened = await open(folder)
  const ofSize = (bytes: number): StateSource => ({
    kind: 'export',
    bytes: padded(exportOf(tablesOf(3), 5000), bytes),
  })
  await replaceState(opened, ofSize(64 * 1024))
  expect(opened.world.size('payments')).toBe(3)
  await expect(replaceState(opened, ofSize(64 * 1024 + 1))).rejects.toThrow('an error of the test')
  await opened.close()
})

const timer = (object: string) => ({
  id: `link_timeout:${object}`,
  kind: 'deliver',
  object_id: object,
  due: AT,
  seq: 1,
})

async function* cut(bytes: AsyncIterable<Uint8Array>) {
  let left = 300
  for await (const piece of bytes) if (left-- > 0) yield piece
}

async function* padded(bytes: AsyncIterable<Uint8Array>, length: number) {
  let left = length
  for await (const piece of bytes) {
    left -= piece.length
    yield piece
  }
  yield Buffer.alloc(left, ' ')
}

async function* broken(bytes: AsyncIterable<Uint8Array>) {
  yield* cut(bytes)
  throw new Error('the client is gone')
}

async function openBuilt() {
  const { openStore, program } = await bundleStore(
    new URL('../../../src/store/import/import-worker.ts', import.meta.url),
  )
  const open = (folder: string | undefined) => openStore({ folder, systemClock: { now: () => AT }, notice() {} })
  return { open, folder: temporaryFolder(), program }
}
