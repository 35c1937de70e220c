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

it('a server ends although a fault holds a request, and does nothing for it any more', async () => {
  const folder = newFolder()
  try {
    const { ready, child } = await folder.serve()
    await folder.psp('faults', 'add', 'api', 'latency:10m')
    const held = fetch(`${ready.url}/v1/public/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' },
      body: '{"amount":100}',
    }).catch(() => 'cut')
    for (let matched = 0; matched === 0; ) {
      const { items } = JSON.parse((await folder.psp('faults', 'list', '--json')).stdout)
      matched = items[0].matched
    }
    const asked = performance.now()
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(0)
    // Two seconds of grace, and room for a busy machine; the fault would hold it for ten minutes.
    expect(performance.now() - asked).toBeLessThan(20_000)
    expect(await held).toBe('cut')
    expect(JSON.parse((await folder.psp('payments', 'list', '--json')).stdout).items).toEqual([])
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
