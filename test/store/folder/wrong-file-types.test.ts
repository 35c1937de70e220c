// A folder where a file should be, and the other way round: the name is told.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/errors.ts'
import { AT, commitOf, payment, put, store, temporaryFolder } from '../fixtures.ts'

test.each([
  ['lock'],
  ['state.json'],
  ['newest-journal'],
  ['journal/000000000001.ndjson'],
  ['pages/payments/000000.json'],
])('a folder in the place of %s', async (name) => {
  const folder = await filled()
  const path = join(folder, name)
  rmSync(path, { force: true })
  mkdirSync(path, { recursive: true })
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toContain(
    `${folder} cannot be used: ${path}: it is a directory, not a file: move it away (EISDIR)`,
  )
})

test.each([['journal'], ['pages'], ['pages/payments']])('a file in the place of the folder %s', async (name) => {
  const folder = await filled()
  const path = join(folder, name)
  rmSync(path, { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toContain(`${folder} cannot be used: ${path}: a`)
})

async function filled(): Promise<string> {
  const folder = temporaryFolder()
  const opened = await store(folder)
  opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] }))
  await opened.close()
  return folder
}

test('a link that leads nowhere in the place of the folder', async () => {
  const folder = await filled()
  rmSync(folder, { recursive: true })
  symlinkSync(`${folder}-nowhere`, folder)
  const error = await store(folder).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toContain(
    'a file or a dangling link has this name: choose another data directory with --data (',
  )
})
