import { expect, test } from 'vitest'
import { startImportThread } from '../../../src/store/import/import-thread.ts'
import type { StagedPage } from '../../../src/store/import/state-importer.ts'

/** The code of a thread that sends one page in shared memory, so that the test can detect a copy. */
const THREAD = `
  import { parentPort } from 'node:worker_threads'
  const bytes = new Uint8Array(new SharedArrayBuffer(3)).fill(7)
  parentPort.once('message', () => {
    parentPort.postMessage({ kind: 'page', page: { table: 'shops', number: 0, first: 0, bytes, lines: new Uint32Array(1) } })
    parentPort.postMessage({ kind: 'summary', summary: { state: [], counters: new Map(), overRefunded: [] } })
    parentPort.on('message', () => {})
  })
`

test('an import copies each page that its thread sends, because memory of an ended thread is not reused', async () => {
  const pages: StagedPage[] = []
  const url = new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`)
  const stateImport = startImportThread(
    url,
    { kind: 'export', seq: 0, folder: undefined },
    async (page) => void pages.push(page),
  )
  await stateImport.endInput()
  await stateImport.dispose()
  expect(pages.map(({ bytes }) => [...bytes])).toEqual([[7, 7, 7]])
  expect(pages[0]?.bytes.buffer).toBeInstanceOf(ArrayBuffer)
})
