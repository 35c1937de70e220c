// The size of the dashboard as browsers load it. Needs `npm run build`.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../dist/dashboard/', import.meta.url)

/** Bytes of all scripts and styles together, compressed. */
const BUDGET = 60 * 1024

test('all scripts and styles of the dashboard are at most 60 KB large when compressed', () => {
  const { files } = JSON.parse(readFileSync(new URL('manifest.json', FOLDER), 'utf8')) as { files: string[] }
  const sizes = files.map((name) => readFileSync(new URL(`${name}.br`, FOLDER)).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(BUDGET)
})
