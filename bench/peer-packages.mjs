// Packages that only measurements need: installed on demand under bench/.cache, outside of the project's lock file. Each
// set has a folder of its own, so that one that cannot be installed leaves the others alone.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('./.cache/', import.meta.url))

export const PINNED = {
  // The load of most measurements.
  load: ['autocannon@8.0.0'],
  'json-server': ['json-server@0.17.4'],
  emulate: ['emulate@0.8.0'],
  'stripe-stateful-mock': ['stripe-stateful-mock@0.0.16'],
  prism: ['@stoplight/prism-cli@5.14.2'],
  mockoon: ['@mockoon/cli@9.9.0'],
}

/** @returns the folder with `node_modules` in it @throws where npm cannot install them */
export function installed(name) {
  const folder = `${CACHE}${name}`
  const mark = `${folder}/installed.json`
  const wanted = JSON.stringify(PINNED[name])
  if (existsSync(mark)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{"private":true}')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...PINNED[name]]
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
  writeFileSync(mark, wanted)
  return folder
}
