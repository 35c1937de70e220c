// Kills the store without a server. Parallel writers in one process report each acknowledged commit.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildStore } from '../bench/build-store.mjs'
import { wasInCheckpoint } from './crash-state.mjs'

const WRITER = fileURLToPath(new URL('./crash-store-writer.mjs', import.meta.url))
/** Bytes of journal that start a checkpoint. It is low, so that a checkpoint runs nearly always. */
const THRESHOLD = 100_000

/**
 * @returns counts of the events in the run
 * @throws if a commit was lost
 */
export async function crash({ folder, rounds, durable }) {
  const built = await buildStore()
  const children = new Set()
  const acknowledged = Array(8).fill(0)
  const counts = {
    'commits acknowledged': 0,
    'torn lines dropped': 0,
    'kills during a checkpoint': 0,
    'kills during recovery': 0,
    'starts rejected by the lock': 0,
  }
  try {
    for (let round = 1; round <= rounds; round++) await runRound(round)
    await verify('at the end')
    return counts
  } finally {
    for (const child of children) child.kill('SIGKILL')
    built.remove()
  }

  async function runRound(round) {
    if (round % 2 === 0) await killInRecovery()
    const writers = start()
    check(writers, await writers.opened, `after the kill of round ${round - 1}`)
    if (round % 5 === 0) await expectSecondRejected()
    await sleep(Math.random() * 400)
    await writers.kill()
    if (existsSync(folder) && wasInCheckpoint(folder)) counts['kills during a checkpoint']++
    process.stderr.write(`round ${round}: ${counts['commits acknowledged']} commits acknowledged so far\n`)
  }

  async function killInRecovery() {
    const writers = start()
    await Promise.race([writers.opened, sleep(40 + Math.random() * 60)])
    if (!writers.isOpen()) counts['kills during recovery']++
    await writers.kill()
  }

  async function expectSecondRejected() {
    const second = start()
    const result = await second.opened
    if (result.kind !== 'locked') throw new Error(`A second process opened the directory: ${JSON.stringify(result)}`)
    counts['starts rejected by the lock']++
    await second.exited
  }

  async function verify(when) {
    const last = start()
    check(last, await last.opened, when)
    await last.kill()
  }

  function start() {
    const acknowledgedBefore = [...acknowledged]
    const child = spawn(process.execPath, [WRITER, built.path, folder, String(durable), String(THRESHOLD)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let open = false
    let reportOpened
    const opened = new Promise((resolve) => {
      reportOpened = resolve
    })
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => {
      const [kind, value] = JSON.parse(line)
      if (kind === 'ack') {
        acknowledged[value[0]] = Math.max(acknowledged[value[0]], value[1])
        counts['commits acknowledged']++
      } else if (kind === 'notice') {
        if (!value.includes(': dropped ')) process.stderr.write(`${value}\n`)
        else counts['torn lines dropped']++
      } else {
        open = kind === 'open'
        reportOpened({ kind, value })
      }
    })
    const exited = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    const drained = new Promise((resolve) => {
      lines.once('close', resolve)
    })
    exited.then(() => reportOpened({ kind: 'exited', value: '' }))
    children.add(child)
    return {
      acknowledgedBefore,
      opened,
      exited,
      isOpen: () => open,
      async kill() {
        child.kill('SIGKILL')
        await exited
        await drained
      },
    }
  }
}

function check({ acknowledgedBefore }, result, when) {
  if (result.kind !== 'open') throw new Error(`The store did not open ${when}: ${JSON.stringify(result)}`)
  const { applied, errors, errorCount } = result.value
  if (errorCount > 0) throw new Error(`${errorCount} errors ${when}: ${errors.join('; ')}`)
  for (const [writer, last] of acknowledgedBefore.entries()) {
    if (applied[writer] >= last) continue
    throw new Error(
      `Lost ${when}: commit ${last} of writer ${writer} was acknowledged, but ${applied[writer]} is the last.`,
    )
  }
}
