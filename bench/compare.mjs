// `npm run bench -- compare [--exchanges=5000] [--kilobytes=0]`
import { createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { report } from './report.mjs'
import { ask, create, newFolder, peakMemoryOf, read, serve } from './servers.mjs'

export const MEASURES = 'the comparison of a recording with a sandbox: time, and memory of the command'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const EXCHANGES = Number(flags.exchanges ?? 5000)
/** The value of a response header that is not compared. */
const PADDING = 'x'.repeat(Number(flags.kilobytes ?? 0) * 1024)

const har = join(newFolder(), 'session.har')
await writeHar(har)
const size = statSync(har).size / 2 ** 20
const begin = performance.now()
const memory = await peakMemoryOf(['compare', har])
const seconds = (performance.now() - begin) / 1000
report(
  `${EXCHANGES} exchanges in a HAR file of ${size.toFixed(0)} MiB`,
  [
    {
      what: 'psp compare',
      s: seconds.toFixed(1),
      'exchanges/s': Math.round(EXCHANGES / seconds),
      'command MB': memory.toFixed(0),
    },
  ],
  ['The recording has no differences, so it is read once and replayed once.'],
)

/** Writes payments that are each created and then read twice, as a sandbox responded. */
async function writeHar(path) {
  const server = await serve(['--ephemeral', '--clock', 'frozen', '--set', 'buyer=manual'])
  const request = create()
  const made = JSON.stringify(await ask(server.url, request))
  const { id, created_at } = JSON.parse(made).payment
  const shown = JSON.stringify(await ask(server.url, read(`/v1/public/payments/${id}`)))
  await server.stop()

  const file = createWriteStream(path)
  const write = (text) => file.write(text) || new Promise((resolve) => file.once('drain', resolve))
  await write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"entries":[')
  for (let at = 0; at < EXCHANGES; at++) {
    const number = Math.floor(at / 3)
    const isCreation = at % 3 === 0
    const paymentId = `3f2a9c1e-0000-4000-8000-${String(number).padStart(12, '0')}`
    const text = (isCreation ? made : shown).replaceAll(id, paymentId)
    const time = new Date(Date.parse(created_at) + at).toISOString()
    const sent = isCreation ? request : read(`/v1/public/payments/${paymentId}`)
    const entry = entryOf(sent, isCreation ? 201 : 200, text, time)
    await write(`${at === 0 ? '' : ','}${JSON.stringify(entry)}`)
  }
  await write(']}}')
  await new Promise((resolve) => file.end(resolve))
}

function entryOf({ method, path, headers, body }, status, text, startedDateTime) {
  const pairs = (object) => Object.entries(object).map(([name, value]) => ({ name, value }))
  return {
    startedDateTime,
    time: 0.5,
    request: {
      method,
      url: `https://api.example${path}`,
      headers: pairs(headers),
      bodySize: body?.length ?? 0,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: body } }),
    },
    response: {
      status,
      headers: pairs({ 'Content-Type': 'application/json; charset=utf-8', ...(PADDING !== '' && { ETag: PADDING }) }),
      content: { size: text.length, mimeType: 'application/json', text },
    },
  }
}
