// Runs the tests of the built CLI under newer Nodes: the npm package `node` carries each of them, npm puts it first in PATH.
import { spawnSync } from 'node:child_process'

const MAJORS = [22, 24]

for (const major of MAJORS) {
  const node = ['exec', '--yes', `--package=node@${major}`, '--', 'node']
  process.stdout.write(`\nNode ${major}\n`)
  const { status } = spawnSync('npm', [...node, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e'], {
    stdio: 'inherit',
  })
  if (status !== 0) {
    process.stderr.write(`The tests of the built CLI fail under Node ${major}.\n`)
    process.exitCode = 1
  }
}
