// Directories in place of files, and files in place of directories. The error names the path.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreUnavailableError } from '../../../src/store/errors.ts'
import { AT, commitOf, inStore, openingError, payment, put, temporaryFolder } from '../fixtures.ts'

test.each([
  ['lock'],
  ['state.json'],
  ['newest-journal'],
  ['journal/000000000001.ndjson'],
  ['pages/payments/000000.json'],
])('the start fails with the path of a directory in place of %s', async (name) => {
  const folder = await stored()
  const path = join(folder, name)
  rmSync(path, { force: true })
  mkdirSync(path, { recursive: true })
  const error = await openingError(folder)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toContain(
    `${folder} cannot be used: ${path}: it is a directory, not a file: move it away (EISDIR)`,
  )
})

test.each([['journal'], ['pages'], ['pages/payments']])(
  'the start fails with the path of a file in place of %s',
  async (name) => {
    const folder = await stored()
    const path = join(folder, name)
    rmSync(path, { recursive: true })
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
    const error = await openingError(folder)
    expect(error).toBeInstanceOf(StoreUnavailableError)
    expect(error.message).toContain(`${folder} cannot be used: ${path}: a`)
  },
)

async function stored(): Promise<string> {
  const folder = temporaryFolder()
  await inStore(folder, (opened) => void opened.append(AT, 'x', commitOf({ puts: [put('payments', payment(1))] })))
  return folder
}

test('the start fails for a dangling link in place of the data directory', async () => {
  const folder = await stored()
  rmSync(folder, { recursive: true })
  symlinkSync(`${folder}-nowhere`, folder)
  const error = await openingError(folder)
  expect(error).toBeInstanceOf(StoreUnavailableError)
  expect(error.message).toContain(
    'a file or a dangling link has this name: choose another data directory with --data (',
  )
})
