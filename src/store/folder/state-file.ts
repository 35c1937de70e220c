// state.json: the format, the last journal line that the pages contain, the settings and the clock.

import { crc32 } from 'node:zlib'
import { Low } from 'lowdb'
import { isJsonObject } from '../../domain/json-values.ts'
import { omitUndefined } from '../../domain/omit-undefined.ts'
import { explainInvalidPlan, parsePlan } from '../../domain/simulator-plan.ts'
import { LAST_RFC3339_INSTANT } from '../../domain/time.ts'
import { type ClockRow, type StateRow, TABLE_NAMES, type TableName } from '../../engine/tables.ts'
import { readSettings } from '../../settings.ts'
import { StoreDamagedError, StoreFormatError } from '../errors.ts'
import { type PageListText, parsePageList } from '../pages/page-list.ts'
import { writeAtomicFile } from './atomic-file.ts'
import type { FileSystemPort } from './file-system.ts'
import { lineOfKey, parseJsonFile, unknownKey } from './json-file.ts'
import { FORMAT, isNumberedPagesFolder, NUMBERED_FORMAT } from './layout.ts'

export interface StateFile {
  readonly format: number
  /** The pages contain every commit up to the journal line with this number. */
  readonly seq: number
  /** The checksum of that line. It identifies the history, because another history may use the same numbers. */
  readonly seq_crc?: number
  /** The ordinal of the next new row of each table. */
  readonly counters: { readonly [T in TableName]?: number }
  /** The pages, each with its last journal line. Absent if state.json was lost and a user wrote a new one. */
  readonly pages?: PageListText
  /** The directory of the pages, if a state was imported or restored. Default: `pages`. */
  readonly pages_folder?: string
  /** In the notation of the settings, such as `2s`. */
  readonly settings?: { readonly [name: string]: unknown }
  readonly clock?: Omit<ClockRow, 'id'>
}

export const EMPTY_STATE: StateFile = { format: FORMAT, seq: 0, counters: {}, pages: {} }

/**
 * @returns `undefined` if the file does not exist.
 * @throws StoreDamagedError, StoreFormatError
 */
export async function readState(port: FileSystemPort, file: string): Promise<StateFile | undefined> {
  const bytes = port.read(file)
  if (bytes === undefined) return undefined
  const db = openStateFile(port, file)
  await db.read()
  return validateState(file, bytes, db.data)
}

/**
 * Checks the format before anything in the data directory is written, even the lock. Other damage is left to
 * `readState`.
 * @throws StoreFormatError if another version wrote the data directory
 */
export function assertFormat(port: FileSystemPort, file: string): void {
  const bytes = port.read(file)
  const format = bytes === undefined ? FORMAT : formatOf(bytes)
  if (Number.isSafeInteger(format) && !FORMATS.includes(format as number)) throw formatError(file, format as number)
}

function formatOf(bytes: Buffer): unknown {
  try {
    return (JSON.parse(bytes.toString()) as { readonly format?: unknown } | null)?.format
  } catch {
    return undefined
  }
}

export async function writeState(port: FileSystemPort, file: string, state: StateFile): Promise<void> {
  const db = openStateFile(port, file)
  db.data = state
  await db.write()
}

export function stateRows(state: StateFile): StateRow[] {
  const rows: StateRow[] = []
  if (state.settings !== undefined) rows.push({ id: 'settings', values: state.settings })
  if (state.clock !== undefined) rows.push({ id: 'clock', ...state.clock })
  return rows
}

/** Returns the fields of state.json that are rows of the table `state`. */
export function stateFields(rows: Iterable<StateRow>): Pick<StateFile, 'settings' | 'clock'> {
  const part: { settings?: StateFile['settings']; clock?: StateFile['clock'] } = {}
  for (const row of rows) {
    if (row.id === 'settings') part.settings = row.values
    else {
      const { id: _, ...clock } = row
      part.clock = clock
    }
  }
  return part as Pick<StateFile, 'settings' | 'clock'>
}

function openStateFile(port: FileSystemPort, file: string): Low<StateFile> {
  const adapter = {
    read: async () => {
      const bytes = port.read(file)
      const found = bytes === undefined ? null : parseJsonFile(file, bytes)
      if (bytes !== undefined && !isJsonObject(found)) throw new StoreDamagedError(file, 1, 'expected an object')
      return found as StateFile | null
    },
    write: async ({ format: _, seq, seq_crc, counters, pages = {}, pages_folder, ...editable }: StateFile) => {
      const checksummed = omitUndefined({ seq, seq_crc, counters, pages, pages_folder })
      const format = pages_folder === undefined ? FORMAT : NUMBERED_FORMAT
      const text = JSON.stringify({ format, ...checksummed, crc: checksum(checksummed), ...editable }, null, 2)
      writeAtomicFile(port, file, [Buffer.from(`${text}\n`)])
    },
  }
  return new Low<StateFile>(adapter, EMPTY_STATE)
}

/** Returns the checksum of the fields that only psp may change. A wrong `seq` would lose or repeat changes. */
function checksum({
  seq,
  seq_crc,
  counters,
  pages = {},
  pages_folder,
}: Pick<StateFile, 'seq' | 'seq_crc' | 'counters' | 'pages' | 'pages_folder'>): number {
  const sorted = (part: object) => Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
  const folder = pages_folder === undefined ? [] : [pages_folder]
  const line = seq_crc === undefined ? [] : [seq_crc]
  return crc32(Buffer.from(JSON.stringify([seq, sorted(counters), sorted(pages), ...folder, ...line])))
}

function validateState(file: string, bytes: Buffer, state: object): StateFile {
  const error = (key: string, why: string) => new StoreDamagedError(file, lineOfKey(bytes, key), why)
  const { format, seq, seq_crc, counters, pages, pages_folder, settings, clock, crc } = state as {
    readonly [key: string]: unknown
  }
  if (!Number.isSafeInteger(format)) throw error('format', 'format: expected a number')
  if (!FORMATS.includes(format as number)) throw formatError(file, format as number)
  const unknown =
    unknownKey(state, KEYS) ??
    (isJsonObject(counters) ? unknownKey(counters, TABLE_NAMES, 'table') : undefined) ??
    (isJsonObject(clock) ? unknownKey(clock, CLOCK_KEYS) : undefined)
  if (unknown !== undefined) throw error(unknown.key, unknown.why)
  if (!Number.isSafeInteger(seq) || (seq as number) < 0) throw error('seq', 'seq: expected an integer from 0')
  if (seq_crc !== undefined && !Number.isSafeInteger(seq_crc)) throw error('seq_crc', 'seq_crc: expected an integer')
  if (!isCounters(counters)) throw error('counters', 'counters: expected table names with integers')
  if (pages !== undefined && parsePageList(pages) === undefined) {
    throw error('pages', 'pages: expected table names with page numbers such as "0-12@345, 14@567"')
  }
  if (pages_folder !== undefined && (typeof pages_folder !== 'string' || !isNumberedPagesFolder(pages_folder))) {
    throw error('pages_folder', 'pages_folder: expected the name of a directory such as pages-000000000012')
  }
  if (pages !== undefined || crc !== undefined) {
    if (crc !== checksum(state as unknown as StateFile)) {
      throw new StoreDamagedError(
        file,
        lineOfKey(bytes, 'seq'),
        'seq, seq_crc, counters, pages, pages_folder or crc was changed by hand: only the other fields may be changed',
        'Put them back as they were. If you do not know the old values, move the file away: the next start says what to write instead.',
      )
    }
  }
  if (settings !== undefined && !isJsonObject(settings)) throw error('settings', 'settings: expected an object')
  if (clock !== undefined && !isClock(clock)) {
    throw error('clock', 'clock: expected mode (real, frozen, scaled), speed above 0, virtual and wall in ms')
  }
  for (const [name, value] of Object.entries(settings ?? {})) {
    try {
      const { default_outcome } = readSettings({ [name]: value })
      if (parsePlan(default_outcome) === undefined) throw new Error(`${name}: ${explainInvalidPlan(default_outcome)}`)
    } catch (thrown) {
      throw error(name, thrown instanceof Error ? thrown.message : String(thrown))
    }
  }
  const { crc: _, ...rest } = state as { readonly [key: string]: unknown }
  return rest as unknown as StateFile
}

const KEYS = ['format', 'seq', 'seq_crc', 'counters', 'pages', 'pages_folder', 'crc', 'settings', 'clock'] as const
const CLOCK_KEYS = ['mode', 'speed', 'virtual', 'wall'] as const

const FORMATS: readonly number[] = [FORMAT, NUMBERED_FORMAT]

function formatError(file: string, format: number): StoreFormatError {
  return new StoreFormatError(
    `${file} has format ${format}, and this version of psp reads formats ${FORMATS.join(' and ')}. Nothing was changed. Export it with the version that wrote it (\`psp store export\`), and import that here into another data directory (\`psp store import\`).`,
  )
}

function isCounters(value: unknown): boolean {
  return (
    isJsonObject(value) && Object.values(value).every((count) => Number.isSafeInteger(count) && (count as number) >= 0)
  )
}

function isClock(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { mode, speed, virtual, wall } = value
  const times = [virtual, wall].every(
    (time) => Number.isInteger(time) && 0 <= Number(time) && Number(time) <= LAST_RFC3339_INSTANT,
  )
  return ['real', 'frozen', 'scaled'].includes(String(mode)) && typeof speed === 'number' && speed > 0 && times
}
