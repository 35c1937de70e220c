// `npm run bench -- profile [--requests=30000] [--rows=16]`
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runOnLoadCore } from './processes.mjs'
import { report } from './report.mjs'
import { ask, create, PAYMENTS, read, serve } from './servers.mjs'

export const MEASURES = 'the functions in which a server spends its time while it creates and reads payments'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const REQUESTS = Number(flags.requests ?? 30_000)
const ROWS = Number(flags.rows ?? 16)

await profile('Create a payment, with a journal and a frozen clock', () => create())
await profile('Read a payment', async (url) => read(`${PAYMENTS}/${(await ask(url, create())).payment.id}`))

async function profile(title, requestFor) {
  const folder = mkdtempSync(join(tmpdir(), 'psp-profile-'))
  try {
    const node = ['--cpu-prof', '--cpu-prof-interval', '250', '--cpu-prof-dir', folder]
    const server = await serve(['--clock', 'frozen'], { node })
    const requests = [await requestFor(server.url)]
    await runOnLoadCore('http-load.mjs', { url: server.url, requests, connections: 32, amount: REQUESTS })
    await server.stop()
    // The largest profile is of the main thread. The thread of a checkpoint writes a smaller one.
    const files = readdirSync(folder).map((name) => join(folder, name))
    const [largest] = files.toSorted((a, b) => statSync(b).size - statSync(a).size)
    report(title, shares(JSON.parse(readFileSync(largest, 'utf8'))), [
      `${REQUESTS} requests over 32 connections, including the start of the server but no idle time. "with callees" includes the functions that a function called.`,
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function shares({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const [self, below] = [new Map(), new Map()]
  let total = 0
  samples.forEach((id, i) => {
    const time = timeDeltas[i]
    if (byId.get(id).callFrame.functionName === '(idle)') return
    total += time
    add(self, label(byId.get(id)), time)
    const seen = new Set()
    for (let at = id; at !== undefined; at = parents.get(at)) seen.add(label(byId.get(at)))
    for (const name of seen) add(below, name, time)
  })
  const percent = (time) => `${((time / total) * 100).toFixed(1)} %`
  return [...self]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, ROWS)
    .map(([name, time]) => ({ function: name, share: percent(time), 'with callees': percent(below.get(name)) }))
}

function label({ callFrame: { functionName, url } }) {
  const name = functionName || '(anonymous)'
  if (url === '') return name
  return url.startsWith('node:') ? `${name}, ${url}` : `${name}, psp ${basename(url).replace(/-[A-Z0-9]{8}\.js$/, '')}`
}

function add(map, key, value) {
  map.set(key, (map.get(key) ?? 0) + value)
}
