import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sources } from './source.ts'

test('sources ignores hidden folders, in which measurements install packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'psp-sources-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, '.cache/package'), { recursive: true })
  writeFileSync(join(folder, '.cache/package/index.js'), '')
  writeFileSync(join(folder, 'run.mjs'), '')
  expect(sources(folder).map(({ path }) => path)).toEqual([`${folder}/run.mjs`])
})
