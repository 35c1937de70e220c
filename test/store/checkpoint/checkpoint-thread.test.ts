import { readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { openStore } from '../../../src/store/open-store.ts'
import { bundlePrograms } from '../bundle-programs.ts'
import { AT, commitOf, payment, put, store, temporaryFolder } from '../fixtures.ts'

const STORE = new URL('../../../src/store/open-store.ts', import.meta.url)
const WORKER = new URL('../../../src/store/checkpoint/checkpoint-worker.ts', import.meta.url)

test('built, a checkpoint runs in a thread of its own', async () => {
  const { open, folder } = await built()
  const opened = await open()
  for (let n = 0; n < 3000; n++) opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  const done = opened.checkpoint()
  for (let n = 3000; n < 4000; n++) opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(n))] }))
  await done
  expect(readdirSync(join(folder, 'pages/payments'))).toContain('000002.json')
  await opened.close()
  const again = await store(folder)
  expect([...again.world.rows('payments')]).toEqual(Array.from({ length: 4000 }, (_, n) => payment(n)))
  await again.close()
})

test('a thread that fails is told of, and the pages come when it works again', async () => {
  const { open, folder, worker } = await built()
  writeFileSync(worker, 'throw new Error("a fault of the test")')
  const notices: string[] = []
  const opened = await open((text) => notices.push(text))
  opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
  await opened.checkpoint()
  expect(notices).toEqual([expect.stringMatching(/a fault of the test.*Nothing is lost/)])
  expect(readdirSync(join(folder, 'pages'))).toEqual([])
  await opened.close()
  expect(readdirSync(join(folder, 'pages/payments'))).toEqual(['000000.json'])
})

async function built() {
  const [module = '', compiled = ''] = await bundlePrograms(STORE, WORKER)
  const worker = join(dirname(compiled), 'checkpoint-worker.js')
  renameSync(compiled, worker)
  writeFileSync(join(dirname(compiled), 'package.json'), '{"type":"module"}')
  const library: { openStore: typeof openStore } = await import(module)
  const folder = temporaryFolder()
  const open = (notice: (text: string) => void = () => {}) =>
    library.openStore({ folder, systemClock: { now: () => AT }, notice })
  return { open, folder, worker }
}
