// `psp serve` under 32 writers over HTTP, with a receiver of webhooks: what was answered must be there after each kill,
// once. An answer that the kill swallowed is asked for again with its key, as a shop would.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBooks } from './crash-ledger.mjs'
import { startReceiver } from './crash-receiver.mjs'
import { holdsFolder, wasInCheckpoint } from './crash-state.mjs'
import { createWriters } from './crash-http-writers.mjs'

const PSP = fileURLToPath(new URL('../bin/psp.js', import.meta.url))
const SETTINGS = [
  'delays.session=0s',
  'delays.bank=0s',
  'retention.events=1000000',
  'webhook_retries=1s,1s,1s,1s,1s,1s',
]
/** Bytes of journal: so low that a checkpoint is nearly always running. */
const THRESHOLD = 200_000

/** @returns what was seen, counted. @throws what was lost or doubled */
export async function crash({ folder, rounds, durable }) {
  const receiver = await startReceiver()
  const children = new Set()
  const seen = {
    'killed in a checkpoint': 0,
    'killed in recovery': 0,
    'torn ends dropped': 0,
    'refused by the lock': 0,
  }
  const books = createBooks()
  const writers = createWriters(books)
  try {
    for (let round = 1; round <= rounds; round++) await play(round)
    const last = await start()
    await writers.settle(last.url)
    await books.checkAll(last.url, receiver)
    await last.end()
    return { ...books.counts(), 'webhooks received': receiver.count, ...seen }
  } finally {
    for (const child of children) child.kill('SIGKILL')
    receiver.close()
  }

  async function play(round) {
    if (round > 1) await killInRecovery()
    const server = await start()
    await writers.settle(server.url)
    await books.checkNewest(server.url)
    if (round % 10 === 0) await refuseSecond()
    const work = writers.run(server.url)
    await sleep(Math.random() * 1800)
    await server.kill()
    await work
    if (wasInCheckpoint(folder)) seen['killed in a checkpoint']++
    const { payments, refunds, payouts } = books.counts()
    process.stderr.write(`round ${round}: ${payments} payments, ${refunds} refunds, ${payouts} payouts acknowledged\n`)
  }

  async function killInRecovery() {
    const server = spawnServer()
    while (!holdsFolder(folder, server.child.pid) && !server.isReady()) await turn()
    await sleep(Math.random() * 60)
    if (!server.isReady()) seen['killed in recovery']++
    await server.kill()
  }

  async function refuseSecond() {
    const second = spawnServer()
    const code = await second.exited
    if (code !== 9) throw new Error(`A second server on the folder ended with ${code}, not 9.`)
    seen['refused by the lock']++
  }

  async function start() {
    const server = spawnServer()
    const url = await server.ready
    if (url === undefined) throw new Error(`The server did not start: ${server.said()}`)
    return { ...server, url }
  }

  function spawnServer() {
    const child = spawnServe(folder, receiver.url, durable)
    children.add(child)
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
      if (text.includes(': dropped ')) seen['torn ends dropped']++
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
    const ended = async (signal) => {
      child.kill(signal)
      await exited
      children.delete(child)
    }
    return {
      child,
      ready,
      exited,
      isReady: () => isReady,
      said: () => said,
      kill: () => ended('SIGKILL'),
      end: () => ended('SIGTERM'),
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
