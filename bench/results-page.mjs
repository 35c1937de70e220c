// docs/benchmarks.md: a section for each measurement, replaced as a whole when it is made anew. Text outside of the
// sections stays.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = `${ROOT}docs/benchmarks.md`
const HEAD = `# Measurements

Written by \`npm run bench -- NAME… --write\`; \`npm run bench -- --list\` lists the names. Compare ratios, not rates: both sides of a
ratio were measured in turn in the same run, on the same machine. Where three numbers stand together they are the median
and, in brackets, the lowest and the highest of the rounds.
`

/** Of a run with `--only`, tables that it did not make stay, each with the machine, the command and the date of its own. */
export function writeSection({ name, about, command, tables }) {
  const page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : HEAD
  const [from, to] = [page.indexOf(open(name)), page.indexOf(close(name))]
  const kept = from >= 0 && command.includes(' --only=')
  const blocks = new Map(kept ? blocksOf(page.slice(from, to)) : [])
  const made = circumstances(command)
  for (const { title, rows, notes } of tables) {
    blocks.set(title, [`### ${title}`, made, table(rows), ...notes].join('\n\n'))
  }
  const head = [open(name), `## ${name}`, `${about[0].toUpperCase()}${about.slice(1)}.`]
  const text = [...head, ...blocks.values(), close(name)].join('\n\n')
  const next =
    from < 0 ? `${page.trimEnd()}\n\n${text}\n` : page.slice(0, from) + text + page.slice(to + close(name).length)
  writeFileSync(PAGE, next)
}

/** Title and text of each table of a section. One that has no circumstances of its own has those of the section. */
function blocksOf(section) {
  const [head, ...blocks] = section.split(/^(?=### )/m)
  const shared = head.trim().split('\n').at(-1)
  return blocks.map((block) => {
    const [title, ...rest] = block.trim().split('\n')
    const made = rest.some((line) => line.startsWith('`npm run bench')) ? [] : ['', shared]
    return [title.slice('### '.length), [title, ...made, ...rest].join('\n')]
  })
}

const open = (name) => `<!-- bench ${name} -->`
const close = (name) => `<!-- end of ${name} -->`

function circumstances(command) {
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const machine = `${availableParallelism()} x ${cpus()[0]?.model.trim()}, ${memory}, ${platform()} ${release()} ${arch()}`
  const load = loadavg()[1]?.toFixed(1)
  return `\`${command}\` on ${date} UTC, version ${version()}, Node ${process.versions.node}, ${machine}; load of the machine at its end ${load} (5 minutes).`
}

function version() {
  return JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).version
}

function table(rows) {
  const columns = Object.keys(rows[0] ?? {})
  const line = (cells) => `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((key) => row[key]))),
  ].join('\n')
}
