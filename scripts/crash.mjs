// Kills the program again and again (SIGKILL), at random moments: under load, in checkpoints, in recovery. Then checks
// that all that was acknowledged is there, once. `npm run crash -- --rounds 50 [--through serve|store] [--durable]`
// serve: `psp serve`, driven over HTTP. store: the store alone, commit by commit. Without --through both, one after the other.
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
const WAYS = { serve: () => import('./crash-serve.mjs'), store: () => import('./crash-store.mjs') }
const ways = values.through === undefined ? Object.keys(WAYS) : [values.through]
const rounds = Number(values.rounds)

for (const way of ways) {
  const folder = join(mkdtempSync(join(tmpdir(), 'psp-crash-')), '.psp')
  try {
    const { crash } = await WAYS[way]()
    const seen = await crash({ folder, rounds, durable: values.durable })
    console.log(`${way}: ${rounds} rounds, nothing lost, nothing doubled.`)
    for (const [what, count] of Object.entries(seen)) console.log(`  ${what}: ${count}`)
    rmSync(join(folder, '..'), { recursive: true, force: true })
  } catch (error) {
    console.error(`${way}: ${error.message}\nThe data folder is kept: ${folder}`)
    process.exitCode = 1
  }
}
