// Writes docs/benchmarks.md. It has one section per measurement, which a new result replaces. Other text is kept.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${ROOT}docs/benchmarks.md`
const HEAD = `# Measurements

\`npm run bench -- NAME… --write\` replaces the sections with these names, and \`npm run bench -- --list\` lists the names. The text before the first section is written by hand.

Compare ratios, not rates: the two values of a ratio were measured alternately, in the same run on the same machine. A cell with three numbers contains the median of the rounds and, in brackets, the lowest and the highest value.
`

/** Writes a section. A run with flags keeps the tables that it did not measure. */
export function writeSection({ name, about, command, tables }) {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : HEAD
  const [from, to] = [page.indexOf(open(name)), page.indexOf(close(name))]
  const kept = from >= 0 && / --\S/.test(command)
  const blocks = new Map(kept ? blocksOf(page.slice(from, to)) : [])
  const circumstances = describeCircumstances(command)
  for (const { title, rows, notes } of tables) {
    blocks.set(title, [`### ${title}`, circumstances, table(rows), ...notes].join('\n\n'))
  }
  const head = [open(name), `## ${name}`, `${about[0].toUpperCase()}${about.slice(1)}.`]
  const text = [...head, ...blocks.values(), close(name)].join('\n\n')
  const next =
    from < 0 ? `${page.trimEnd()}\n\n${text}\n` : page.slice(0, from) + text + page.slice(to + close(name).length)
  writeFileSync(PAGE, next)
}

/** Returns the title and text of each table. A table without a line about its machine gets that of the section. */
function blocksOf(section) {
  const [head, ...blocks] = section.split(/^(?=### )/m)
  const shared = head.trim().split('\n').at(-1)
  return blocks.map((block) => {
    const [title, ...rest] = block.trim().split('\n')
    const circumstances = rest.some((line) => line.startsWith('`npm run bench')) ? [] : ['', shared]
    return [title.slice('### '.length), [title, ...circumstances, ...rest].join('\n')]
  })
}

const open = (name) => `<!-- bench ${name} -->`
const close = (name) => `<!-- end of ${name} -->`

function describeCircumstances(command) {
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${memory}, ${platform()} ${release()} ${arch()}`
  const load = loadavg()[1]?.toFixed(1)
  return `\`${command}\` on ${date} UTC, version ${version()}, Node ${process.versions.node}, ${machine}. Load average after the run: ${load} (5 minutes).`
}

function version() {
  return JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version
}

function table(rows) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells) => `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((key) => row[key]))),
  ].join('\n')
}
