// Kills `psp serve` under the load of 32 HTTP writers, with a receiver of webhooks. Every acknowledged object must be
// stored exactly once: the newest ones are checked after each kill, and all at the end. A request without a response is
// repeated with the same key, as a shop would do.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createWriters } from './crash-http-writers.mjs'
import { createLedger } from './crash-ledger.mjs'
import { startReceiver } from './crash-receiver.mjs'
import { ownsDirectory, wasInCheckpoint } from './crash-state.mjs'

const PSP = fileURLToPath(new URL('../bin/psp.js', import.meta.url))
const SETTINGS = [
  'delays.session=0s',
  'delays.bank=0s',
  'retention.events=1000000',
  'webhook_retries=1s,1s,1s,1s,1s,1s',
]
/** Bytes of journal that start a checkpoint. It is low, so that a checkpoint runs nearly always. */
const THRESHOLD = 200_000

/**
 * @returns counts of the events in the run
 * @throws if an object was lost or duplicated
 */
export async function crash({ folder, rounds, durable }) {
  const receiver = await startReceiver()
  const children = new Set()
  const counts = {
    'kills during a checkpoint': 0,
    'kills during recovery': 0,
    'torn lines dropped': 0,
    'starts rejected by the lock': 0,
  }
  const ledger = createLedger()
  const writers = createWriters(ledger)
  try {
    for (let round = 1; round <= rounds; round++) await runRound(round)
    const last = await start()
    await writers.repeatUnacknowledged(last.url)
    await ledger.checkAll(last.url, receiver)
    await last.end()
    return { ...ledger.counts(), 'webhooks received': receiver.count, ...counts }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    receiver.close()
  }

  async function runRound(round) {
    if (round > 1) await killInRecovery()
    const server = await start()
    await writers.repeatUnacknowledged(server.url)
    await ledger.checkNewest(server.url)
    if (round % 10 === 0) await expectSecondRejected()
    const work = writers.run(server.url)
    await sleep(Math.random() * 1800)
    await server.kill()
    await work
    if (wasInCheckpoint(folder)) counts['kills during a checkpoint']++
    const { payments, refunds, payouts } = ledger.counts()
    process.stderr.write(`round ${round}: ${payments} payments, ${refunds} refunds, ${payouts} payouts acknowledged\n`)
  }

  async function killInRecovery() {
    const server = spawnServer()
    while (!ownsDirectory(folder, server.child.pid) && !server.isReady()) await nextTurn()
    await sleep(Math.random() * 60)
    if (!server.isReady()) counts['kills during recovery']++
    await server.kill()
  }

  async function expectSecondRejected() {
    const second = spawnServer()
    const code = await second.exited
    if (code !== 9) throw new Error(`A second server on the data directory exited with ${code}, not 9.`)
    counts['starts rejected by the lock']++
  }

  async function start() {
    const server = spawnServer()
    const url = await server.ready
    if (url === undefined) throw new Error(`The server did not start: ${server.errors()}`)
    return { ...server, url }
  }

  function spawnServer() {
    const child = spawnServe(folder, receiver.url, durable)
    children.add(child)
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text
      if (text.includes(': dropped ')) counts['torn lines dropped']++
    })
    let isReady = false
    const exited = new Promise((resolve) => {
      child.once('exit', (code) => resolve(code))
    })
    const ready = new Promise((resolve) => {
      createInterface(child.stdout).on('line', (line) => {
        isReady = true
        resolve(JSON.parse(line).url)
      })
      exited.then(() => resolve(undefined))
    })
    const stop = async (signal) => {
      child.kill(signal)
      await exited
      children.delete(child)
    }
    return {
      child,
      ready,
      exited,
      isReady: () => isReady,
      errors: () => errors,
      kill: () => stop('SIGKILL'),
      end: () => stop('SIGTERM'),
    }
  }
}

function spawnServe(folder, endpoint, durable) {
  const flags = ['--port', '0', '--data', folder, '--json', '--quiet', '--endpoint', endpoint]
  const settings = SETTINGS.flatMap((setting) => ['--set', setting])
  return spawn(process.execPath, [PSP, 'serve', ...flags, ...settings, ...(durable ? ['--durable'] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PSP_CHECKPOINT_BYTES: String(THRESHOLD) },
  })
}
