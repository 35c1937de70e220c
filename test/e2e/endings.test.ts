import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { start } from '../cli/rig.ts'
import { newFolder } from './psp.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'psp-endings-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

it('an idle listener ends at once, not after the time a busy one may take', async () => {
  const folder = newFolder()
  try {
    const { child } = await folder.start(['listen', '--forward', '3999'], /^Ready/, 'stderr')
    const asked = performance.now()
    child.kill('SIGINT')
    expect((await child).exitCode).toBe(0)
    expect(performance.now() - asked).toBeLessThan(1500)
  } finally {
    await folder.remove()
  }
})

it('a time of nothing is refused before anything starts', async () => {
  const ended = await start(['listen', '--forward', '3999', '--timeout', '0s'], { cwd }).ended
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--timeout: "0s"')
})

it('a folder given for a file is named so', async () => {
  const ended = await start(['store', 'import', '.'], { cwd }).ended
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('it is a folder')
})
