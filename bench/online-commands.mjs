// Measures how a command on a running server delays other requests, and how much memory it takes.
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { loopDelay } from './loop-delay.mjs'
import { residentMemory } from './processes.mjs'
import { ask } from './servers.mjs'

/** The notes that explain the columns. */
export const COLUMNS =
  'Delay is that of the event loop of the server. Turn is the longest turn of its event loop in processor time, which other processes do not change. Health is the longest response time of GET /_psp/health, which is requested repeatedly. The first row shows what the machine itself adds.'

/**
 * Measures `work` on the server, which must be started with the flags `MONITOR`.
 * @returns a row of a report
 */
export async function measureCommand(server, what, work) {
  await loopDelay(server)
  writeFileSync(`/proc/${server.pid}/clear_refs`, '5')
  let done = false
  const health = watchHealth(server, () => done)
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  done = true
  const longest = await health
  const delay = await loopDelay(server)
  return {
    what,
    s: seconds.toFixed(2),
    'delay p99.9 ms': delay.p999,
    'delay max ms': delay.max,
    'turn max ms': delay.turn,
    'health max ms': longest.toFixed(0),
    'peak MB': residentMemory(server.pid, 'VmHWM').toFixed(0),
  }
}

async function watchHealth({ url }, isDone) {
  let longest = 0
  while (!isDone()) {
    const begin = performance.now()
    await ask(url, { method: 'GET', path: '/_psp/health' })
    longest = Math.max(longest, performance.now() - begin)
    await sleep(5)
  }
  return longest
}

/** Waits until the memory no longer changes. After a start, rows are compressed for a while. */
export async function settled({ pid }) {
  for (let last = 0, now = residentMemory(pid); Math.abs(now - last) > 1; now = residentMemory(pid)) {
    last = now
    await sleep(2000)
  }
}
