// A folder that another version wrote is refused before anything in it is touched.
import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreFormatError } from '../../src/store/errors.ts'
import { AT, commitOf, payment, put, store, temporaryFolder } from './fixtures.ts'

test.each([[2], [5]])('format %i: not a file, date or lock is another one afterwards', async (format) => {
  const folder = temporaryFolder()
  const opened = await store(folder)
  opened.append(AT, 'create', commitOf({ puts: [put('payments', payment(1))] }))
  await opened.close()
  // As a process leaves it that was killed: its lock, and no folder of the journal.
  writeFileSync(join(folder, 'lock'), '{"pid":999999999,"started_at":1}')
  rmSync(join(folder, 'journal'), { recursive: true })
  const state = join(folder, 'state.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('"format": 3', `"format": ${format}`))

  const before = seen(folder)
  const error = await store(folder, { durable: true }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(StoreFormatError)
  expect(error.message).toMatch(
    /Export it with the version that wrote it .*import that here into another data directory/,
  )
  expect(seen(folder)).toEqual(before)
})

/** Names, contents and dates of all there is, the folder itself included. */
function seen(folder: string) {
  return ['.', ...readdirSync(folder, { recursive: true }).map(String).sort()].map((name) => {
    const { ino, mtimeNs, ctimeNs } = lstatSync(join(folder, name), { bigint: true })
    return { name, ino, mtimeNs, ctimeNs }
  })
}
