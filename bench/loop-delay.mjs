// Loaded into a server with `--import`: measures the delay of its event loop. SIGUSR2 writes what was measured since the
// last one to the file of PSP_BENCH_DELAY, and begins again.
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const file = process.env.PSP_BENCH_DELAY
if (file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    const ms = (ns) => Math.round(ns / 1e4) / 100
    const measured = {
      p50: ms(delay.percentile(50)),
      p99: ms(delay.percentile(99)),
      p999: ms(delay.percentile(99.9)),
      max: ms(delay.max),
    }
    writeFileSync(`${file}.new`, JSON.stringify(measured))
    renameSync(`${file}.new`, file)
    delay.reset()
  })
}
