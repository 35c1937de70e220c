import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundleStore } from '../bundle-programs.ts'
import { AT, commitOf, inStore, payment, put, temporaryFolder } from '../fixtures.ts'

const THREAD = new URL('../../../src/store/checkpoint/checkpoint-worker.ts', import.meta.url)

test('the built store runs a checkpoint in a thread while commits are added', async () => {
  const { open, folder } = await openBuilt()
  const opened = await open()
  for (let n = 0; n < 3000; n++) opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  const done = opened.checkpoint()
  for (let n = 3000; n < 4000; n++) opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  await done
  expect(readdirSync(join(folder, 'pages/payments'))).toContain('000002.json')
  await opened.close()
  const rows = await inStore(folder, ({ world }) => [...world.rows('payments')])
  expect(rows).toEqual(Array.from({ length: 4000 }, (_, n) => payment(n)))
})

test('a failed checkpoint thread is reported, and the close writes the pages', async () => {
  const { open, folder, program } = await openBuilt()
  writeFileSync(program, 'throw new Error("an error of the test")')
  const notices: string[] = []
  const opened = await open((text) => notices.push(text))
  opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
  await opened.checkpoint()
  expect(notices).toEqual([expect.stringMatching(/an error of the test.*Nothing is lost/)])
  expect(readdirSync(join(folder, 'pages'))).toEqual([])
  await opened.close()
  expect(readdirSync(join(folder, 'pages/payments'))).toEqual(['000000.json'])
})

async function openBuilt() {
  const { openStore, program } = await bundleStore(THREAD)
  const folder = temporaryFolder()
  const open = (notice: (text: string) => void = () => {}) =>
    openStore({ folder, systemClock: { now: () => AT }, notice })
  return { open, folder, program }
}
