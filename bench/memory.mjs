// `npm run bench -- memory [--creates=200000] [--soak=60]`. The soak is in seconds, 600 for the long form.
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMemory, runOnLoadCore } from './processes.mjs'
import { report } from './report.mjs'
import { ask, create, HEADERS, newFolder, serve } from './servers.mjs'

export const MEASURES =
  'memory of a server: when ready, per payment, over many creates, in a soak with streams and failing receivers'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const CREATES = Number(flags.creates ?? 200_000)
const SOAK = Number(flags.soak ?? 60)
const GC = ['--expose-gc', '--import', `data:text/javascript,process.on('SIGUSR2',()=>gc())`]

await growth()
await soak()

/** Measures the memory per payment once all bounded data has reached its limit. */
async function growth() {
  const server = await serve(['--clock', 'frozen'], { node: GC })
  const rows = [await row(server, 0, undefined)]
  for (let part = 1; part <= 5; part++) {
    const amount = Math.round(CREATES / 5)
    await runOnLoadCore('http-load.mjs', { url: server.url, requests: [create()], connections: 32, amount })
    rows.push(await row(server, part * amount, rows[0]))
  }
  await server.stop()
  const shown = rows.map((each, n) => {
    const before = rows[n - 1]
    const grown =
      before === undefined ? '' : Math.round(((each.MB - before.MB) * 2 ** 20) / (each.payments - before.payments))
    return {
      payments: each.payments,
      'resident MB': each.MB.toFixed(0),
      'KB per payment so far': each.per,
      'bytes per payment of this part': grown,
    }
  })
  report(`${CREATES} creates with default retention`, shown, [
    'After a full garbage collection. The clock is frozen, so each payment keeps its pending timers. The same bytes per payment in each part mean that nothing else grows with the number of requests.',
  ])
}

async function row(server, payments, first) {
  const MB = await measureMemory(server)
  return { payments, MB, per: first === undefined ? '' : (((MB - first.MB) * 1024) / payments).toFixed(2) }
}

/**
 * Runs everything at once at a constant rate. The memory must become constant. The clock runs at 3600 times the real
 * speed, so a delivery makes all its attempts of 3.4 days in 82 s. From then on as many deliveries end as start.
 */
async function soak() {
  const receiver = createServer((request, response) => {
    request.resume()
    response.statusCode = 500
    response.end()
  })
  await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${receiver.address().port}/`
  const retention = ['--set', 'retention.events=2000']
  const server = await serve(['--endpoint', hook, '--clock', 'x3600', ...retention], { node: GC, folder: newFolder() })
  const shop = (await ask(server.url, { method: 'GET', path: '/_psp/shops', headers: HEADERS })).items[0].id
  const ended = new AbortController()
  const streams = []
  for (let n = 0; n < 20; n++) {
    const key = await ask(server.url, {
      method: 'POST',
      path: `/_psp/shops/${shop}/keys`,
      headers: HEADERS,
      body: '{}',
    })
    streams.push(read(`${server.url}/v1/public/events`, key.api_key, ended.signal))
  }
  const start = performance.now()
  const rows = [{ seconds: 0, MB: await measureMemory(server), payments: 0, deliveries: 0 }]
  let payments = 0
  for (let part = 1; part <= 6; part++) {
    const until = start + (SOAK * 1000 * part) / 6
    while (performance.now() < until) {
      await Promise.all(Array.from({ length: 10 }, () => ask(server.url, create({ method: 'sbp' }))))
      payments += 10
      await sleep(50)
    }
    const seconds = Math.round((performance.now() - start) / 1000)
    const { deliveries } = await ask(server.url, { method: 'GET', path: '/_psp/counts', headers: HEADERS })
    rows.push({ seconds, MB: await measureMemory(server), payments, deliveries })
  }
  ended.abort()
  const bytes = (await Promise.all(streams)).reduce((sum, count) => sum + count, 0)
  const peak = residentMemory(server.pid, 'VmHWM')
  await server.stop()
  receiver.closeAllConnections()
  receiver.close()
  report(
    `A soak of ${SOAK} s`,
    rows.map((each) => ({
      seconds: each.seconds,
      'payments created': each.payments,
      'deliveries stored': each.deliveries,
      'resident MB': each.MB.toFixed(0),
      'MB without payments': withoutPayments(each).toFixed(0),
    })),
    [
      `At most 200 payments per second, 20 stream clients (${bytes} bytes read), a receiver that always responds with 500, and a retention of 2,000 events. The clock runs at 3600 times the real speed, so a delivery is exhausted after 82 s, and is stored until then regardless of the retention. Payments are stored forever. The last column subtracts 1.4 KB for each payment, which is its budget.`,
      describeSecondHalf(rows),
      `Peak: ${peak.toFixed(0)} MB.`,
    ],
  )
}

function withoutPayments({ MB, payments }) {
  return MB - (payments * 1.4) / 1024
}

/** Describes the change of the last column in the second half. */
function describeSecondHalf(rows) {
  const from = rows[rows.length >> 1]
  const [before, after] = [from, rows.at(-1)].map(withoutPayments)
  const change = (after / before - 1) * 100
  const verb = change < 0 ? 'fell' : 'grew'
  return `From ${from.seconds} s to the end, the last column ${verb} by ${Math.abs(change).toFixed(1)} %.`
}

async function read(url, key, signal) {
  let bytes = 0
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal })
    for await (const chunk of response.body) bytes += chunk.length
  } catch (error) {
    if (error.name !== 'AbortError') throw error
  }
  return bytes
}

/** Measures the memory after garbage collections, once it stops falling because background work has ended. */
async function measureMemory({ pid }) {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 20; n++) {
    process.kill(pid, 'SIGUSR2')
    await sleep(700)
    const now = residentMemory(pid)
    if (n >= 3 && now > least * 0.98) break
    least = Math.min(least, now)
  }
  return Math.min(least, residentMemory(pid))
}
