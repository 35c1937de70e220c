// Measures the recording proxy: `npm run bench -- record [--rounds=3] [--seconds=2]`. Needs `npm run build`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { CORES, runOnLoadCore } from './processes.mjs'
import { formatSpread, ratios, report, spread } from './report.mjs'
import { create, newFolder, PSP, serve } from './servers.mjs'

export const MEASURES = 'the recording proxy in front of a sandbox, compared with a direct connection'

const flags = Object.fromEntries(process.argv.slice(2).map((flag) => flag.replace(/^--/, '').split('=')))
const ROUNDS = Number(flags.rounds ?? 3)
const SECONDS = Number(flags.seconds ?? 2)
const CONNECTIONS = 32

const server = await serve(['--ephemeral', '--clock', 'frozen'])
const proxy = await startProxy(server.url)
const direct = []
const recorded = []
for (let round = 0; round < ROUNDS; round++) {
  direct.push(await measure(server.url))
  recorded.push(await measure(proxy.url))
}
await proxy.stop()
await server.stop()

const rate = (runs) => spread(runs.map((run) => run.rate))
const delay = (runs, name) => formatSpread(spread(runs.map((run) => run[name])))
const row = (name, runs, target, met) => ({
  connection: name,
  'requests/s': formatSpread(rate(runs)),
  'p50 ms': delay(runs, 'p50'),
  'p99 ms': delay(runs, 'p99'),
  'of direct': formatSpread(
    ratios(
      runs.map((run) => run.rate),
      direct.map((run) => run.rate),
    ),
    2,
  ),
  failed: runs.reduce((sum, { failed }) => sum + failed, 0),
  target,
  met,
})
const isMet = rate(recorded).median >= 1000
report(
  'Create a payment through the recording proxy',
  [row('direct', direct, '', ''), row('psp record', recorded, '>= 1000 /s', isMet ? 'yes' : 'no')],
  [`${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s, in turn. The proxy runs on any core. ${CORES}`],
)
if (!isMet) process.exitCode = 1

function measure(url) {
  return runOnLoadCore('./http-load.mjs', { url, requests: [create()], connections: CONNECTIONS, seconds: SECONDS })
}

/** Starts `psp record` as a user does. It writes a HAR file. */
async function startProxy(target) {
  const argv = [PSP, 'record', '--to', target, '--port', '0', '--out', join(newFolder(), 'session.har'), '--json']
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  process.once('exit', () => child.kill('SIGKILL'))
  let text = ''
  while (!text.includes('\n')) text += (await once(child.stdout, 'data'))[0]
  child.stdout.resume()
  return {
    url: JSON.parse(text.slice(0, text.indexOf('\n'))).url,
    async stop() {
      child.kill('SIGINT')
      await once(child, 'exit')
    },
  }
}
