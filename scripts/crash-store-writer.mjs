// The process that crash-store.mjs kills. Its parallel writers print each acknowledged commit to stdout.
import { writeSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'

const [, , module, folder, durable, threshold] = process.argv
const WRITERS = 8

const { openStore, StoreLockedError } = await import(module)
try {
  const store = await openStore({
    folder,
    durable: durable === 'true',
    systemClock: { now: Date.now },
    checkpointThreshold: Number(threshold),
    notice: (text) => print('notice', text),
  })
  print('open', inspectStore(store))
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(store, writer)))
} catch (error) {
  print(error instanceof StoreLockedError ? 'locked' : 'failed', String(error))
}

/** Writes commits. Each one adds two related rows, adds a timer, changes a row and deletes a row, all or nothing. */
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
    print('ack', [writer, n])
    if (n % 3 === 0) await nextTurn()
  }
}

/** Returns the last commit of each writer, and everything that is inconsistent. */
function inspectStore({ world }) {
  const errors = []
  const applied = Array.from({ length: WRITERS }, (_, writer) => world.get('rules', `w${writer}`)?.applied ?? 0)
  for (const [writer, last] of applied.entries()) {
    for (let n = 1; n <= last; n++) {
      const id = `w${writer}-${n}`
      if (world.get('payments', id)?.amount !== n) errors.push(`payment ${id} is missing`)
      if (world.get('idempotency', `key-${id}`)?.object_id !== id) errors.push(`key of ${id} is missing`)
      if ((world.get('timers', `link_timeout:${id}`) !== undefined) !== n > last - 3)
        errors.push(`timer of ${id} is wrong`)
    }
  }
  const sum = applied.reduce((total, last) => total + last, 0)
  for (const table of ['payments', 'idempotency']) {
    if (world.size(table) !== sum) errors.push(`${table}: ${world.size(table)} rows for ${sum} commits`)
  }
  return { applied, errors: errors.slice(0, 5), errorCount: errors.length }
}

/** Writes synchronously to the pipe, so that a kill loses no acknowledgement. */
function print(kind, value) {
  let rest = Buffer.from(`${JSON.stringify([kind, value])}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
