import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../docs/decisions/', import.meta.url)
const NAMES = readdirSync(FOLDER).sort()
const numbered = (index: number) => String(index + 1).padStart(3, '0')

test('decisions are numbered without gaps, each number once', () => {
  expect(NAMES.map((name) => name.slice(0, 4))).toEqual(NAMES.map((_, index) => `${numbered(index)}-`))
})

test.each(NAMES)('%s has its number and sections for context, decision and consequences', (name) => {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').split('\n')
  expect(lines[0]).toMatch(new RegExp(`^# ${name.slice(0, 3)} \\S`))
  expect(lines).toEqual(expect.arrayContaining(['## Context', '## Decision', '## Consequences']))
})
