// `npm run bench -- large-rows [--rows=200] [--bytes=1800000]`
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDirectory } from './filled-directory.mjs'
import { MONITOR } from './loop-delay.mjs'
import { COLUMNS, measureCommand, settled } from './online-commands.mjs'
import { residentMemory } from './processes.mjs'
import { report } from './report.mjs'
import { ask, create, HEADERS, newFolder, read, serve } from './servers.mjs'
import { commit, payment, settleCommit } from './store-rows.mjs'

export const MEASURES = 'every command that handles the whole state, with a few hundred rows of almost 2 MB each'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const ROWS = Number(flags.rows ?? 200)
const BYTES = Number(flags.bytes ?? 1_800_000)

// A checkpoint begins after a few large rows.
process.env.PSP_CHECKPOINT_BYTES = '8000000'

const folder = await createDirectory(fill)
const file = join(newFolder(), 'state.json')
const rows = []

let server = await serve(['--clock', 'frozen'], { folder, node: MONITOR })
await settled(server)
const before = residentMemory(server.pid)
await measured('nothing, for 5 s', () => sleep(5000))
await measured('take a snapshot', () => ask(server.url, { method: 'PUT', path: '/_psp/snapshots/one' }))
await measured('restore it', restore)
await settled(server)
await measured('restore it again', restore)
await measured('export', exportState)
await measured('list payments, 1000 a page', () => ask(server.url, read('/_psp/payments?limit=1000')))
await measured('list events of another object', () => ask(server.url, read('/_psp/events?object_id=none&limit=1000')))
await measured('import into a full server', importState)
await measured('40 creates and their checkpoints', createMany)
await measured('reset', () => ask(server.url, { method: 'POST', path: '/_psp/reset', headers: HEADERS, body: '{}' }))
await server.stop()

server = await serve(['--clock', 'frozen'], { node: MONITOR })
await settled(server)
const empty = residentMemory(server.pid)
await measured('import into an empty server', importState)
await settled(server)
const after = residentMemory(server.pid)
await server.stop()

const megabytes = statSync(file).size / 2 ** 20
report(`A state of ${ROWS} rows of ${BYTES} bytes, ${megabytes.toFixed(0)} MiB`, rows, [
  `Half of the rows are payments, and half are events. Resident memory before: ${before.toFixed(0)} MB. Empty server: ${empty.toFixed(0)} MB, after its import: ${after.toFixed(0)} MB.`,
  COLUMNS,
])

async function measured(what, work) {
  rows.push(await measureCommand(server, what, work))
}

async function fill(store, shop) {
  for (let n = 0; n < ROWS / 2; n++) {
    const large = { cart: text(n) }
    const own = { merchant_id: shop.merchant_id, shop_id: shop.id, metadata: large, status: 'succeeded' }
    const row = { ...payment(n), ...own }
    const [, event] = settleCommit(row, n).puts
    store.append(
      Date.now(),
      'fill',
      commit([
        ['payments', row],
        [event.table, event.row],
      ]),
    )
    await sleep(0)
  }
}

/** Returns a text that cannot be compressed well. */
function text(n) {
  return Array.from({ length: BYTES / 10 }, (_, i) =>
    ((i * 2654435761 + n * 40503) % 1e10).toString().padStart(10, '0'),
  ).join('')
}

function restore() {
  return ask(server.url, { method: 'POST', path: '/_psp/snapshots/one/restore' })
}

async function exportState() {
  const response = await fetch(`${server.url}/_psp/export`)
  await pipeline(Readable.fromWeb(response.body), createWriteStream(file))
}

async function importState() {
  const body = Readable.toWeb(createReadStream(file))
  const headers = { ...HEADERS, 'content-length': String(statSync(file).size) }
  const response = await fetch(`${server.url}/_psp/import`, { method: 'PUT', headers, body, duplex: 'half' })
  if (!response.ok) throw new Error(await response.text())
}

async function createMany() {
  for (let n = 0; n < 40; n++) await ask(server.url, create({ metadata: { cart: text(n) }, order_id: `large-${n}` }))
}
