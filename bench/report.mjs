// Prints the results of a measurement, and writes them for the results page.
import { writeFileSync } from 'node:fs'

const tables = []

/**
 * @param rows objects with the same keys. The first key is the name of the row.
 * @param notes sentences below the table
 */
export function report(title, rows, notes = []) {
  console.log(`\n${title}`)
  const [first] = Object.keys(rows[0] ?? { '': '' })
  console.table(Object.fromEntries(rows.map(({ [first]: name, ...row }) => [name, row])))
  for (const note of notes) console.log(note)
  tables.push({ title, rows, notes })
  if (process.env.PSP_BENCH_RESULTS) writeFileSync(process.env.PSP_BENCH_RESULTS, JSON.stringify(tables))
}

/** Returns minimum, median and maximum of at least one number. */
export function spread(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
  return { min: sorted[0], median: middle, max: sorted.at(-1) }
}

/**
 * Formats `median (min to max)`.
 * @param digits the number of decimal digits
 */
export function formatSpread({ min, median, max }, digits = 0) {
  const [low, mid, high] = [min, median, max].map((value) => value.toFixed(digits))
  return low === high ? mid : `${mid} (${low} to ${high})`
}

/** Returns the spread of the ratios of each round, `values[i] / baseline[i]`. */
export function ratios(values, baseline) {
  return spread(values.map((value, round) => value / baseline[round]))
}
