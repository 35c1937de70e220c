import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { bundlePrograms } from './bundle-programs.ts'

const WORKER = new URL('../../src/store/import/import-worker.ts', import.meta.url)

/** Prints whether a thread of the process has a low priority, after each chunk that the import thread has read. */
const PROGRAM = `
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

const niceValue = (thread) => Number(readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ').at(-1).split(' ')[16])
const isLow = (thread) => niceValue(thread) > getPriority()
const worker = new Worker(process.argv[2], { workerData: { kind: 'export', seq: 0 } })
const chunks = [' '.repeat(1024 * 1024), ' ']
const push = () => worker.postMessage({ kind: 'chunk', bytes: Buffer.from(chunks.shift()) })
worker.on('message', ({ kind }) => {
  console.log(kind, readdirSync('/proc/self/task').some(isLow))
  if (chunks.length > 0) push()
  else worker.terminate()
})
push()
`

test.skipIf(process.platform !== 'linux')('an import has a low priority only after its first mebibyte', async () => {
  const [worker = ''] = await bundlePrograms(WORKER)
  const folder = dirname(worker)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.mjs'), PROGRAM)
  const { stdout } = await execa('node', [join(folder, 'program.mjs'), worker])
  expect(stdout.split('\n')).toEqual(['read false', 'read true'])
})
