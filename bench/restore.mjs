// `npm run bench -- restore [--payments=200000]`
import { setTimeout as sleep } from 'node:timers/promises'
import { createFilledDirectory } from './filled-directory.mjs'
import { MONITOR } from './loop-delay.mjs'
import { COLUMNS, measureCommand, settled } from './online-commands.mjs'
import { residentMemory } from './processes.mjs'
import { report } from './report.mjs'
import { ask, serve } from './servers.mjs'

export const MEASURES =
  'a snapshot and its restore: time, delay of the event loop, memory, and the start after a signal'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const PAYMENTS = Number(flags.payments ?? 200_000)

const folder = await createFilledDirectory(PAYMENTS, { history: 100_000 })
const rows = []

let server = await start()
await settled(server)
const before = residentMemory(server.pid)
await measured('nothing, for 10 s', () => sleep(10_000))
await measured('take a snapshot', () => ask(server.url, { method: 'PUT', path: '/_psp/snapshots/one' }))
await settled(server)
await measured('restore it', restore)
await measured('restore it again', restore)
await measured('restore it a third time', restore)
await measured('stop right after a restore', () => server.stop(), false)

server = await start()
await restore()
server.kill('SIGKILL')
await server.ended
await measured(
  'start after a kill right after a restore',
  async () => {
    server = await start()
  },
  false,
)

const cut = restore().catch(() => {})
await sleep(1500)
await measured('stop during a restore', () => server.stop(), false)
await cut
await measured(
  'start after that',
  async () => {
    server = await start()
  },
  false,
)
await server.stop()

report(`A snapshot of ${PAYMENTS} payments and its restore`, rows, [
  `The newest 100,000 payments have an event and a delivery. Resident memory before: ${before.toFixed(0)} MB.`,
  COLUMNS,
])

function restore() {
  return ask(server.url, { method: 'POST', path: '/_psp/snapshots/one/restore' })
}

function start() {
  return serve(['--clock', 'frozen'], { folder, node: MONITOR })
}

/** @param serves whether the server runs during the whole work */
async function measured(what, work, serves = true) {
  if (serves) return void rows.push(await measureCommand(server, what, work))
  const begin = performance.now()
  await work()
  rows.push({ what, s: ((performance.now() - begin) / 1000).toFixed(2) })
}
