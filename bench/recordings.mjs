// `npm run bench -- recordings [--events=10000] [--megabytes=0]`
import { createWriteStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { report } from './report.mjs'
import { newFolder, peakMemoryOf, serve } from './servers.mjs'

export const MEASURES = 'import and replay of recorded webhooks: time, and memory of the command'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const EVENTS = Number(flags.events ?? 10_000)
/** The size of the other traffic in the HAR file. */
const MEGABYTES = Number(flags.megabytes ?? 0)

const har = join(newFolder(), 'session.har')
await writeHar(har)
const size = statSync(har).size / 2 ** 20
const server = await serve([])
let received = 0
const receiver = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    received++
    response.end()
  })
})
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const { port } = receiver.address()

const rows = []
await measured('psp events import', ['events', 'import', har, '--url', server.url])
await measured('psp events replay --imported', [
  ...['events', 'replay', '--imported', '--url', server.url],
  ...['--to', `http://127.0.0.1:${port}/hooks`],
])
receiver.close()
await server.stop()
report(`${EVENTS} events in a HAR file of ${size.toFixed(0)} MiB`, rows, [
  `The receiver of the replay got ${received} events. The limit for the two commands together is 60 s with 10,000 events.`,
])

async function measured(what, args) {
  const begin = performance.now()
  const memory = await peakMemoryOf(args)
  const seconds = (performance.now() - begin) / 1000
  rows.push({ what, s: seconds.toFixed(1), 'events/s': Math.round(EVENTS / seconds), 'command MB': memory.toFixed(0) })
}

async function writeHar(path) {
  const file = createWriteStream(path)
  const write = (text) => file.write(text) || new Promise((resolve) => file.once('drain', resolve))
  await write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[')
  const filler = 'x'.repeat(Math.round((MEGABYTES * 2 ** 20) / EVENTS))
  for (let at = 0; at < EVENTS; at++) {
    await write(`${at === 0 ? '' : ','}${JSON.stringify(entryOf(at))}`)
    if (filler !== '')
      await write(
        `,${JSON.stringify({ request: { method: 'GET', url: '/' }, response: { status: 200, content: { text: filler } } })}`,
      )
  }
  await write(']}}')
  await new Promise((resolve) => file.end(resolve))
}

function entryOf(at) {
  const data = {
    id: `3f2a9c1e-0000-4000-8000-${String(at).padStart(12, '0')}`,
    order_id: `ord_${at}`,
    amount: 150_000,
    currency: 'RUB',
    status: 'succeeded',
    customer_phone_mask: '+7******4567',
    customer_card_holder: 'ANNA IVANOVA',
    metadata: { cart: String(at), customer: 'Anna Ivanova', phone: '+79161234567', mode: 'live' },
    refunds: [],
  }
  const body = { id: `evt_${at}`, event: 'payment.succeeded', created_at: '2026-05-06T12:00:00Z', data }
  return {
    startedDateTime: new Date(Date.UTC(2026, 4, 6, 12) + at * 10).toISOString(),
    request: {
      method: 'POST',
      url: 'https://shop.example/hooks',
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-PSP-Signature', value: `t=1778068800,v1=${'0'.repeat(64)},v2=${'0'.repeat(64)}` },
      ],
      postData: { mimeType: 'application/json', text: JSON.stringify(body) },
    },
    response: { status: 200, headers: [], content: { size: 0, mimeType: '' } },
  }
}
