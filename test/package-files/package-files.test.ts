import { once } from 'node:events'
import { expect, test } from 'vitest'
import {
  type Assets,
  hasPackageFile,
  listPackageFolder,
  readPackageFile,
  startPackageThread,
} from '../../src/package-files/package-files.ts'

const FILES: { readonly [key: string]: string } = {
  'fixtures/scenarios/paid.json': '{}',
  'fixtures/scenarios/old/declined.json': '{}',
  'fixtures/scenarios-draft.json': '{}',
  'dist/thread.js':
    "require('node:worker_threads').parentPort.postMessage([require('node:worker_threads').workerData])",
}

const ASSETS: Assets = {
  getAssetKeys: () => Object.keys(FILES),
  getRawAsset: (key) => new TextEncoder().encode(FILES[key]).buffer,
}

const at = (path: string): URL => new URL(path, 'psp:/dist/cli/program.cjs')

test('a file of the executable is read by its path in the package', () => {
  expect(readPackageFile(at('../../fixtures/scenarios/paid.json'), ASSETS).toString()).toBe('{}')
})

test('a folder of the executable lists its files, without those of folders in it', () => {
  expect(listPackageFolder(at('../../fixtures/scenarios/'), ASSETS)).toEqual(['paid.json'])
})

test('the executable has a file if it is one of its assets', () => {
  expect(hasPackageFile(at('../thread.js'), ASSETS)).toBe(true)
  expect(hasPackageFile(at('../other.js'), ASSETS)).toBe(false)
})

test('a thread runs the code of an asset', async () => {
  const thread = startPackageThread(at('../thread.js'), { workerData: 5 }, ASSETS)
  expect(await once(thread, 'message')).toEqual([[5]])
  await once(thread, 'exit')
})

test('files outside of an executable are read from disk', () => {
  expect(hasPackageFile(new URL(import.meta.url))).toBe(true)
  expect(hasPackageFile(new URL('./missing.ts', import.meta.url))).toBe(false)
  expect(readPackageFile(new URL(import.meta.url)).toString()).toContain('from disk')
  expect(listPackageFolder(new URL('./', import.meta.url))).toEqual(['package-files.test.ts'])
})
