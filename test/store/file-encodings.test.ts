// Files that editors saved in another encoding. They are reported with their line, and never written with other characters.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StateSource } from '../../src/store/import/prepare-state.ts'
import { assertReadable } from '../../src/store/snapshots/snapshot-pieces.ts'
import { AT, commitOf, inStore, payment, put, store, temporaryFolder } from './fixtures.ts'

const HALF = Buffer.from([0xc3])

const DAMAGE = [
  ['half of a character', (bytes: Buffer) => cutCharacter(bytes), /bytes that are not UTF-8/],
  ['a byte order mark', (bytes: Buffer) => Buffer.concat([Buffer.from('\ufeff'), bytes]), /begins with a byte order/],
  ['UTF-16', (bytes: Buffer) => Buffer.from(`\ufeff${bytes}`, 'utf16le'), /is UTF-16: save it as UTF-8/],
  ['UTF-16, big-endian', (bytes: Buffer) => Buffer.from(`\ufeff${bytes}`, 'utf16le').swap16(), /is UTF-16: save/],
  ['UTF-16 without a mark', (bytes: Buffer) => Buffer.from(`${bytes}`, 'utf16le'), /is UTF-16: save it as UTF-8/],
] as const

test.each(DAMAGE.flatMap(([what, damage, why]) => ['pages', 'state'].map((kind) => ({ what, kind, damage, why }))))(
  'a file of the $kind with $what is rejected with its line and left unchanged',
  async ({ what, kind, damage, why }) => {
    const folder = await filled()
    if (kind === 'state') addNote(folder)
    const file = join(folder, kind === 'pages' ? 'pages/payments/000000.json' : 'state.json')
    const bytes = damage(readFileSync(file))
    const line = what === 'half of a character' ? bytes.subarray(0, bytes.indexOf(HALF)).toString('latin1') : ''
    writeFileSync(file, bytes)
    await expect(store(folder)).rejects.toMatchObject({
      name: 'StoreDamagedError',
      file,
      line: line.split('\n').length,
      why: expect.stringMatching(why),
    })
    expect(readFileSync(file)).toEqual(bytes)
  },
)

test.each(DAMAGE)('a snapshot with %s is rejected', async (_, damage, why) => {
  const folder = await filled()
  const opened = await store(folder)
  await opened.snapshots.save({ name: 'one', saved_at: AT }, opened.view())
  const file = join(folder, 'snapshots/one.json')
  writeFileSync(file, damage(readFileSync(file)))
  const source = opened.snapshots.open('one')?.source() as StateSource
  await expect(assertReadable(source)).rejects.toThrow(why)
  await opened.close()
})

/** Returns a directory with two payments. Only the second contains `Über`. */
async function filled(): Promise<string> {
  const folder = temporaryFolder()
  const rows = [payment(1, { order_id: 'plain' }), payment(2, { order_id: 'Über' })]
  const settings = { id: 'settings', values: { default_outcome: 'succeeded' } }
  const puts = [...rows.map((row) => put('payments', row)), put('state', settings)]
  await inStore(folder, (opened) => void opened.append(AT, 'x', commitOf({ puts })))
  return folder
}

/** Adds an unknown key with `Über`. The encoding is checked before the keys. */
function addNote(folder: string): void {
  const state = join(folder, 'state.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('"settings"', '"note": "Über",\n  "settings"'))
}

/** Removes the second byte of Ü. */
function cutCharacter(bytes: Buffer): Buffer {
  const at = bytes.indexOf('Ü')
  return Buffer.concat([bytes.subarray(0, at), HALF, bytes.subarray(at + 2)])
}
