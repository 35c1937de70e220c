// The store alone: parallel writers in one process, which tells each commit that was acknowledged.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildStore } from '../bench/build-store.mjs'
import { wasInCheckpoint } from './crash-state.mjs'

const WRITER = fileURLToPath(new URL('./crash-store-writer.mjs', import.meta.url))
/** Bytes: so low that a checkpoint is almost always running. */
const THRESHOLD = 100_000

/** @returns what was seen, counted. @throws what was lost */
export async function crash({ folder, rounds, durable }) {
  const built = await buildStore()
  const children = new Set()
  const acknowledged = Array(8).fill(0)
  const seen = {
    acknowledged: 0,
    'torn ends dropped': 0,
    'killed in a checkpoint': 0,
    'killed in recovery': 0,
    'refused by the lock': 0,
  }
  try {
    for (let round = 1; round <= rounds; round++) await play(round)
    await verify('at the end')
    return seen
  } finally {
    for (const child of children) child.kill('SIGKILL')
    built.remove()
  }

  async function play(round) {
    if (round % 2 === 0) await killInRecovery()
    const victim = start()
    const found = await victim.opened
    check(victim, found, `after the kill of round ${round - 1}`)
    if (round % 5 === 0) await refuseSecond()
    await sleep(Math.random() * 400)
    await victim.kill()
    if (existsSync(folder) && wasInCheckpoint(folder)) seen['killed in a checkpoint']++
    process.stderr.write(`round ${round}: ${seen.acknowledged} commits acknowledged so far\n`)
  }

  async function killInRecovery() {
    const victim = start()
    await Promise.race([victim.opened, sleep(40 + Math.random() * 60)])
    if (!victim.isOpen()) seen['killed in recovery']++
    await victim.kill()
  }

  async function refuseSecond() {
    const second = start()
    const said = await second.opened
    if (said.kind !== 'locked') throw new Error(`A second process got the folder: ${JSON.stringify(said)}`)
    seen['refused by the lock']++
    await second.exited
  }

  async function verify(when) {
    const last = start()
    check(last, await last.opened, when)
    await last.kill()
  }

  function start() {
    const toldBefore = [...acknowledged]
    const child = spawn(process.execPath, [WRITER, built.path, folder, String(durable), String(THRESHOLD)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let open = false
    let tell
    const opened = new Promise((resolve) => {
      tell = resolve
    })
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => {
      const [kind, value] = JSON.parse(line)
      if (kind === 'ack') {
        acknowledged[value[0]] = Math.max(acknowledged[value[0]], value[1])
        seen.acknowledged++
      } else if (kind === 'notice') {
        if (!value.includes(': dropped ')) process.stderr.write(`${value}\n`)
        else seen['torn ends dropped']++
      } else {
        open = kind === 'open'
        tell({ kind, value })
      }
    })
    const exited = new Promise((resolve) => {
      child.once('exit', resolve)
    })
    const drained = new Promise((resolve) => {
      lines.once('close', resolve)
    })
    exited.then(() => tell({ kind: 'gone', value: '' }))
    children.add(child)
    return {
      toldBefore,
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

function check({ toldBefore }, said, when) {
  if (said.kind !== 'open') throw new Error(`The store did not open ${when}: ${JSON.stringify(said)}`)
  const { applied, faults, faultCount } = said.value
  if (faultCount > 0) throw new Error(`${faultCount} faults ${when}: ${faults.join('; ')}`)
  for (const [writer, last] of toldBefore.entries()) {
    if (applied[writer] >= last) continue
    throw new Error(`Lost ${when}: writer ${writer} was told ${last}, the store holds ${applied[writer]}.`)
  }
}
