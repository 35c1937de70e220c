// Files that editors saved in another encoding: told with their line, and never written back with other characters.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StateSource } from '../../src/store/import/prepare-state.ts'
import { checkReadable } from '../../src/store/snapshots/snapshot-pieces.ts'
import { AT, commitOf, payment, put, store, temporaryFolder } from './fixtures.ts'

const HALF = Buffer.from([0xc3])

const DAMAGE = [
  ['half of a character', (bytes: Buffer) => cutCharacter(bytes), /bytes that are not UTF-8/],
  ['a byte order mark', (bytes: Buffer) => Buffer.concat([Buffer.from('\ufeff'), bytes]), /begins with a byte order/],
  ['UTF-16', (bytes: Buffer) => Buffer.from(`\ufeff${bytes}`, 'utf16le'), /is UTF-16: save it as UTF-8/],
  ['UTF-16, big-endian', (bytes: Buffer) => Buffer.from(`\ufeff${bytes}`, 'utf16le').swap16(), /is UTF-16: save/],
  ['UTF-16 without a mark', (bytes: Buffer) => Buffer.from(`${bytes}`, 'utf16le'), /is UTF-16: save it as UTF-8/],
] as const

test.each(DAMAGE.flatMap(([what, damage, why]) => ['page', 'state'].map((kind) => ({ what, kind, damage, why }))))(
  '$what in a $kind: refused, and left as it is',
  async ({ what, kind, damage, why }) => {
    const folder = await filled()
    if (kind === 'state') addNote(folder)
    const file = join(folder, kind === 'page' ? 'pages/payments/000000.json' : 'state.json')
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

test.each(DAMAGE)('%s in a snapshot: refused', async (_, damage, why) => {
  const folder = await filled()
  const opened = await store(folder)
  await opened.snapshots.save({ name: 'one', saved_at: AT }, opened.view())
  const file = join(folder, 'snapshots/one.json')
  // A damaged character is in the rows; another encoding is all over the file.
  writeFileSync(file, damage(readFileSync(file)))
  const source = opened.snapshots.open('one')?.source() as StateSource
  await expect(checkReadable(source)).rejects.toThrow(why)
  await opened.close()
})

test('the line of the byte is named', async () => {
  const folder = await filled()
  const file = join(folder, 'pages/payments/000000.json')
  writeFileSync(file, cutCharacter(readFileSync(file)))
  await expect(store(folder)).rejects.toMatchObject({ line: 3 })
})

/** Two payments, of which only the second says Über. */
async function filled(): Promise<string> {
  const folder = temporaryFolder()
  const opened = await store(folder)
  const rows = [payment(1, { order_id: 'plain' }), payment(2, { order_id: 'Über' })]
  const settings = { id: 'settings', values: { default_outcome: 'succeeded' } }
  opened.append(AT, 'x', commitOf({ puts: [...rows.map((row) => put('payments', row)), put('state', settings)] }))
  await opened.close()
  return folder
}

/** The encoding is checked before the keys. */
function addNote(folder: string): void {
  const state = join(folder, 'state.json')
  writeFileSync(state, readFileSync(state, 'utf8').replace('"settings"', '"note": "Über",\n  "settings"'))
}

/** Ü is two bytes; the second goes. */
function cutCharacter(bytes: Buffer): Buffer {
  const at = bytes.indexOf('Ü')
  return Buffer.concat([bytes.subarray(0, at), HALF, bytes.subarray(at + 2)])
}
