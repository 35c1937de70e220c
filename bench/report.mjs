// What a measurement prints, and leaves for the results page.
import { writeFileSync } from 'node:fs'

const tables = []

/** @param rows objects with the same keys, the first of which names the row; @param notes sentences below the table */
export function report(title, rows, notes = []) {
  console.log(`\n${title}`)
  const [first] = Object.keys(rows[0] ?? { '': '' })
  console.table(Object.fromEntries(rows.map(({ [first]: name, ...row }) => [name, row])))
  for (const note of notes) console.log(note)
  tables.push({ title, rows, notes })
  if (process.env.PSP_BENCH_RESULTS) writeFileSync(process.env.PSP_BENCH_RESULTS, JSON.stringify(tables))
}

/** Of at least one number. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
  return { min: sorted[0], median: middle, max: sorted.at(-1) }
}

/** `median (min to max)`, with so many digits after the point. */
export function shown({ min, median, max }, digits = 0) {
  const [low, mid, high] = [min, median, max].map((value) => value.toFixed(digits))
  return low === high ? mid : `${mid} (${low} to ${high})`
}

/** Ratios of rounds that were measured side by side: `own[i] / other[i]`. */
export function ratios(own, other) {
  return spread(own.map((value, round) => value / other[round]))
}
