// `npm run bench -- export [--payments=500000]`
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createFilledDirectory } from './filled-directory.mjs'
import { loopDelay, MONITOR } from './loop-delay.mjs'
import { residentMemory } from './processes.mjs'
import { report } from './report.mjs'
import { newFolder, peakMemoryOf, serve } from './servers.mjs'

export const MEASURES =
  'export and import of a state above 512 MiB: time, delay of the event loop of the server, memory'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const PAYMENTS = Number(flags.payments ?? 500_000)

const file = join(newFolder(), 'state.json')
const rows = []
const full = await createFilledDirectory(PAYMENTS, { history: 100_000 })
let server = await serve(['--clock', 'frozen'], { folder: full, node: MONITOR })
await measured('psp store export, from a server', ['store', 'export', file, '--url', server.url])
await server.stop()
const megabytes = statSync(file).size / 2 ** 20

server = await serve(['--clock', 'frozen'], { node: MONITOR })
await measured('psp store import, into an empty server', ['store', 'import', file, '--url', server.url])
await measured('psp store import, into a full server', ['store', 'import', file, '--url', server.url])
await measured('stop after it', undefined)
await measured('psp store import, without a server', ['store', 'import', file, '--data', join(newFolder(), '.psp')])
await measured('psp store export, without a server', ['store', 'export', file, '--force', '--data', full])

report(`A state of ${PAYMENTS} payments, ${megabytes.toFixed(0)} MiB`, rows, [
  'The newest 100,000 payments have an event and a delivery. Memory is the peak of resident memory, of the command and of the server.',
])

async function measured(what, args) {
  const isServed = args === undefined || args.includes('--url')
  if (isServed && args !== undefined) await loopDelay(server)
  const begin = performance.now()
  const command = args === undefined ? await server.stop() : await peakMemoryOf(args)
  const seconds = (performance.now() - begin) / 1000
  const delay = isServed && args !== undefined ? await loopDelay(server) : undefined
  rows.push({
    what,
    s: seconds.toFixed(1),
    'MiB/s': args === undefined ? '' : (statSync(file).size / 2 ** 20 / seconds).toFixed(0),
    'command MB': command === undefined ? '' : command.toFixed(0),
    'server MB': delay === undefined ? '' : residentMemory(server.pid, 'VmHWM').toFixed(0),
    'delay p99.9 ms': delay?.p999 ?? '',
    'delay max ms': delay?.max ?? '',
  })
}
