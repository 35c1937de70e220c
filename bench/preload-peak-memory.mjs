// Loaded into a command with `--import`. Prints the peak of its resident memory when it exits. `resourceUsage().maxRSS`
// would include the memory of the parent before exec.
import { readFileSync } from 'node:fs'

process.once('exit', () => {
  const kb = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  process.stderr.write(`\nPEAK ${Number(kb) / 1024}\n`)
})
