// Packages that only measurements need. They are installed on demand under bench/.cache, outside the lock file.
// Each set has a separate folder, so that a failed installation does not affect the others.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('./.cache/', import.meta.url))

export const PINNED = {
  // Most measurements use it to send load.
  load: ['autocannon@8.0.0'],
  'json-server': ['json-server@0.17.4'],
  emulate: ['emulate@0.8.0'],
  'stripe-stateful-mock': ['stripe-stateful-mock@0.0.16'],
  prism: ['@stoplight/prism-cli@5.14.2'],
  mockoon: ['@mockoon/cli@9.9.0'],
}

/**
 * Installs a set of packages, once for each list of versions.
 * @returns the folder that contains `node_modules`
 * @throws if npm cannot install it
 */
export function installPackages(name) {
  const folder = `${CACHE}${name}`
  const mark = `${folder}/installed.json`
  const wanted = JSON.stringify(PINNED[name])
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{"private":true}')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...PINNED[name]]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
  writeFileSync(mark, wanted)
  return folder
}
