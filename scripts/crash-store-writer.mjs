// The victim of scripts/crash.mjs: parallel writers on one store, each telling on stdout what was acknowledged.
import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const [, , module, folder, durable, threshold] = process.argv
const WRITERS = 8

const { openStore, StoreLocked } = await import(module)
try {
  const store = await openStore({
    folder,
    durable: durable === 'true',
    wall: { now: Date.now },
    checkpointThreshold: Number(threshold),
    notice: (text) => say('notice', text),
  })
  say('open', summary(store))
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(store, writer)))
} catch (error) {
  say(error instanceof StoreLocked ? 'locked' : 'failed', String(error))
}

/** Each commit pairs two rows, moves a third and deletes a fourth: all of it must be there, or nothing. */
async function write(store, writer) {
  for (let n = store.world.get('rules', `w${writer}`)?.applied ?? 0; ; ) {
    n++
    const id = `w${writer}-${n}`
    const filler = 'x'.repeat(Math.floor(Math.random() * 2000))
    const puts = [
      { table: 'payments', row: { id, amount: n, description: filler } },
      { table: 'idempotency', row: { id: `key-${id}`, object_id: id, expires_at: n } },
      { table: 'timers', row: { id: `link_timeout:${id}`, object_id: id, due: n, seq: n } },
      { table: 'rules', row: { id: `w${writer}`, applied: n } },
    ]
    const deletes = n > 3 ? [{ table: 'timers', id: `link_timeout:w${writer}-${n - 3}` }] : []
    await store.append(Date.now(), 'write', { clear: [], deletes, puts, stream: [], reply: null })
    say('ack', [writer, n])
    if (n % 3 === 0) await turn()
  }
}

/** What was found, and every way in which it is not whole. */
function summary({ world }) {
  const faults = []
  const applied = Array.from({ length: WRITERS }, (_, writer) => world.get('rules', `w${writer}`)?.applied ?? 0)
  for (const [writer, last] of applied.entries()) {
    for (let n = 1; n <= last; n++) {
      const id = `w${writer}-${n}`
      if (world.get('payments', id)?.amount !== n) faults.push(`payment ${id} is missing`)
      if (world.get('idempotency', `key-${id}`)?.object_id !== id) faults.push(`key of ${id} is missing`)
      if ((world.get('timers', `link_timeout:${id}`) !== undefined) !== n > last - 3)
        faults.push(`timer of ${id} is wrong`)
    }
  }
  const sum = applied.reduce((total, last) => total + last, 0)
  for (const table of ['payments', 'idempotency']) {
    if (world.size(table) !== sum) faults.push(`${table}: ${world.size(table)} rows for ${sum} commits`)
  }
  return { applied, faults: faults.slice(0, 5), faultCount: faults.length }
}

/** Straight to the pipe: what was said before a kill arrives. */
function say(kind, value) {
  let rest = Buffer.from(`${JSON.stringify([kind, value])}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
