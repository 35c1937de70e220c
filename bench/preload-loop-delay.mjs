// Loaded into a server with `--import`. Measures the delay of its event loop. At SIGUSR2 it writes the values since the
// last signal to the file that PSP_BENCH_DELAY names, and starts again.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env.PSP_BENCH_DELAY
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const turn = measureTurns()
  process.on('SIGUSR2', () => {
    const ms = (ns) => Math.round(ns / 1e4) / 100
    const measured = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      p999: ms(delay.percentile(99.9)),
      max: ms(delay.max),
      turn: ms(turn.longest),
    }
    writeFileSync(`${file}.new`, JSON.stringify(measured))
    renameSync(`${file}.new`, file)
    delay.reset()
    turn.longest = 0
  })
}

/** Measures the longest turn of the event loop in processor time, which other processes do not change. */
function measureTurns() {
  const turn = { longest: 0 }
  let last = threadTime()
  setInterval(() => {
    const now = threadTime()
    turn.longest = Math.max(turn.longest, now - last)
    last = now
  }, 1).unref()
  return turn
}

/** Returns the processor time of this thread in ns, or 0 on systems other than Linux. */
function threadTime() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0])
  } catch {
    return 0
  }
}
