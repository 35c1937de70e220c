// Runs measurements by name in sequence: `npm run bench -- http start --write`. Without names it runs all. `--list`
// lists them. Numbers and flags after a name are passed to its script: `npm run bench -- store 1000 100000`. `--write`
// writes the results to docs/benchmarks.md, with the machine, the command and the date.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeSection } from './results-page.mjs'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const MEASUREMENT = /^export const MEASURES =\s*'(.+)'$/m

const known = new Map()
for (const file of readdirSync(FOLDER).toSorted()) {
  const about = file.endsWith('.mjs') && MEASUREMENT.exec(readFileSync(join(FOLDER, file), 'utf8'))?.[1]
  if (about) known.set(file.slice(0, -'.mjs'.length), about)
}

const words = process.argv.slice(2)
const write = words.includes('--write')
const runs = []
for (const word of words.filter((each) => each !== '--write' && each !== '--list')) {
  if (known.has(word)) runs.push({ name: word, args: [] })
  else if (/^(-|\d)/.test(word) && runs.length > 0) runs.at(-1).args.push(word)
  else fail(`There is no measurement ${word}. Choose from ${[...known.keys()].join(', ')}.`)
}
if (words.includes('--list')) {
  for (const [name, about] of known) console.log(`${name.padEnd(10)} ${about}`)
  process.exit()
}
if (runs.length === 0) for (const name of known.keys()) runs.push({ name, args: [] })

const folder = mkdtempSync(join(tmpdir(), 'psp-bench-out-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const { name, args } of runs) {
  const command = ['npm run bench --', name, ...args].join(' ')
  console.error(`\n# ${command}: ${known.get(name)}`)
  const results = join(folder, `${name}.json`)
  const { status, signal } = spawnSync(process.execPath, [join(FOLDER, `${name}.mjs`), ...args], {
    stdio: 'inherit',
    env: { ...process.env, PSP_BENCH_RESULTS: results },
  })
  if (status !== 0) fail(`${name} exited with ${signal ?? status}.`)
  if (!write) continue
  if (!existsSync(results)) fail(`${name} measured nothing, so docs/benchmarks.md was not changed.`)
  writeSection({ name, about: known.get(name), command, tables: JSON.parse(readFileSync(results, 'utf8')) })
}

function fail(text) {
  console.error(text)
  process.exit(1)
}
