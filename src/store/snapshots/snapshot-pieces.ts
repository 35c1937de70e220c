// Converts a snapshot to the text of a state, in pieces because the text may exceed the memory.
import type { StateRow, TableName } from '../../engine/tables.ts'
import { fieldIssue, missingFieldIssue } from '../import/envelopes.ts'
import type { StateSource } from '../import/prepare-state.ts'
import { requireTable } from '../import/row-checks.ts'
import { type StateItem, StateReader } from '../import/state-reader.ts'
import { StateTextError } from '../import/state-text-error.ts'
import { stateText } from './state-text.ts'

/**
 * Reads the whole snapshot, and checks its JSON, fields and table names. Does not check the rows.
 * @throws StateTextError
 */
export async function assertReadable(source: StateSource): Promise<void> {
  const fields = new Set<string>()
  for await (const items of itemsOf(source)) {
    for (const item of items) {
      if (item.kind === 'table') requireTable(item.name, item.line)
      if (item.kind !== 'field') continue
      const problem = fieldIssue('snapshot', item.name, item.value)
      if (problem !== undefined) throw new StateTextError(problem, item.line)
      fields.add(item.name)
    }
  }
  const missing = 'view' in source ? undefined : missingFieldIssue('snapshot', fields)
  if (missing !== undefined) throw new StateTextError(missing, 1)
}

/** @param state gets the stored rows of the table `state`, and returns the rows to write instead */
export async function* snapshotPieces(
  source: StateSource,
  head: object,
  state: (rows: readonly StateRow[]) => readonly StateRow[],
): AsyncGenerator<Uint8Array> {
  if ('view' in source) {
    const { view } = source
    const changed = state([...view.rows('state')]).map((row) => JSON.stringify(row))
    yield* stateText(
      head,
      [...view.tables.keys()].map((name) => [name, name === 'state' ? changed : view.lines(name)] as const),
    )
    return
  }
  yield Buffer.from(`${JSON.stringify(head).slice(0, -1)},"tables":{`)
  const rows: StateRow[] = []
  let separator = '\n'
  for await (const items of itemsOf(source)) {
    let text = ''
    for (const item of items) {
      if (item.kind === 'table' && item.name !== 'state') {
        text += `${separator}${JSON.stringify(item.name)}:[`
        separator = '],\n'
      } else if (item.kind === 'row' && item.table === 'state') rows.push(item.row as StateRow)
      else if (item.kind === 'row') text += `${item.index === 0 ? '' : ','}\n${JSON.stringify(item.row)}`
    }
    if (text !== '') yield Buffer.from(text)
  }
  const last = state(rows).map((row) => `\n${JSON.stringify(row)}`)
  yield Buffer.from(`${separator}${JSON.stringify('state' satisfies TableName)}:[${last.join(',')}]\n}}\n`)
}

async function* itemsOf(source: StateSource): AsyncGenerator<Iterable<StateItem>> {
  if ('view' in source) return
  const reader = new StateReader()
  for await (const chunk of source.bytes) {
    yield [...reader.push(chunk)]
  }
  reader.end()
}
