// One writer to a folder, whoever comes: servers and commands that start at the same moment, and a server that was killed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newFolder } from './psp.ts'

let folder: ReturnType<typeof newFolder>
beforeEach(() => {
  folder = newFolder()
})
afterEach(() => folder.remove())

it('servers and commands that start at once: one server at most, and each payment that was told is there once', async () => {
  const told: string[] = []
  const create = async (n: number) => {
    const { exitCode, stdout, stderr } = await folder.psp(
      'payments',
      'create',
      '--amount',
      '100',
      '--order-id',
      `o-${n}`,
      '--json',
    )
    expect([0, 6, 9], stderr).toContain(exitCode)
    if (exitCode === 0) told.push(JSON.parse(stdout).payment.id)
  }
  const serve = () => folder.serve('--quiet').catch((error: Error) => error)
  const work = [1, 2, 3].map(create)
  const servers = [serve(), serve(), serve()]
  work.push(...[4, 5, 6].map(create))
  const outcomes = await Promise.all(servers)
  await Promise.all(work)
  const ready = outcomes.filter((outcome) => !(outcome instanceof Error))
  expect(ready.length).toBeLessThanOrEqual(1)
  for (const outcome of outcomes) {
    if (outcome instanceof Error) expect(outcome.message).toMatch(/The data folder .* is in use by process \d+/)
  }
  expect(told.length).toBeGreaterThan(0)
  const { stdout } = await folder.psp('payments', 'list', '--json')
  const stored = (JSON.parse(stdout).items as { id: string; order_id: string }[]).map(({ id }) => id)
  for (const id of told) expect(stored.filter((each) => each === id)).toEqual([id])
  expect(new Set(stored).size).toBe(stored.length)
})

it('a second server exits 9 and names pid and url; the lock of a killed one is taken over, its number used again or not', async () => {
  const first = await folder.serve('--quiet')
  const second = await folder.psp('serve', '--port', '0')
  expect(second.exitCode).toBe(9)
  expect(second.stderr).toContain(`in use by process ${first.ready.pid} (${first.ready.url})`)
  expect(second.stdout).toBe('')
  first.child.kill('SIGKILL')
  await first.child
  const next = await folder.serve('--quiet')
  next.child.kill('SIGKILL')
  await next.child
  // The number now belongs to another program that lives: this one.
  const path = join(folder.cwd, '.psp', 'lock')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), pid: process.pid }))
  const last = await folder.serve('--quiet')
  expect(last.ready.pid).not.toBe(next.ready.pid)
})
