// Kills the program repeatedly (SIGKILL) at random times: under load, during checkpoints and during recovery. Then it
// checks that all acknowledged data is stored exactly once.
// `npm run crash -- --rounds 50 [--through serve|store] [--durable]`
// `serve` kills `psp serve` under HTTP load, and `store` kills the store alone. By default both run in turn.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    durable: { type: 'boolean', default: false },
    through: { type: 'string' },
  },
})
const TARGETS = { serve: () => import('./crash-serve.mjs'), store: () => import('./crash-store.mjs') }
const targets = values.through === undefined ? Object.keys(TARGETS) : [values.through]
const rounds = Number(values.rounds)

for (const target of targets) {
  const folder = join(mkdtempSync(join(tmpdir(), 'psp-crash-')), '.psp')
  try {
    const { crash } = await TARGETS[target]()
    const counts = await crash({ folder, rounds, durable: values.durable })
    console.log(`${target}: ${rounds} rounds, nothing lost, nothing duplicated.`)
    for (const [what, count] of Object.entries(counts)) console.log(`  ${what}: ${count}`)
    rmSync(join(folder, '..'), { recursive: true, force: true })
  } catch (error) {
    console.error(`${target}: ${error.message}\nThe data directory is kept: ${folder}`)
    process.exitCode = 1
  }
}
