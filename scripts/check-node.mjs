// Runs the tests of the built CLI under the oldest versions of Node that `engines` allows, and a newer one. The npm
// package `node` contains each version, and npm puts it first in PATH.
import { spawnSync } from 'node:child_process'

const VERSIONS = ['20.19.0', '22.12.0', '24']

for (const version of VERSIONS) {
  const node = ['exec', '--yes', `--package=node@${version}`, '--', 'node']
  process.stdout.write(`\nNode ${version}\n`)
  const { status } = spawnSync('npm', [...node, 'node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e'], {
    stdio: 'inherit',
  })
  if (status !== 0) {
    process.stderr.write(`The tests of the built CLI fail under Node ${version}.\n`)
    process.exitCode = 1
  }
}
