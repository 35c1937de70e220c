// Renders the last line: the available keys.

import { ROW_ACTIONS, type RowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { countOfTotal } from '../../view-model/feed/run-each.ts'
import { selectedRow } from '../../view-model/rows/visible-rows.ts'
import { type Command, changesData, KEY_TABLE, keyRow } from '../keys/key-table.ts'
import type { Bulk, State } from '../state/state.ts'
import { renderLine, type Span, spansWidth } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { helpScrollLimit } from './help.ts'

export function renderFooter(state: State, theme: Theme): string {
  const { columns } = state.size
  const { overlay, pendingCalls, bulk, awaited } = state
  if (overlay !== undefined) {
    const keys =
      overlay.kind === 'help' && helpScrollLimit(state) === 0 ? UNSCROLLED_HELP_KEYS : OVERLAY_KEYS[overlay.kind]
    return renderLine([' ', ...keySpans(keys, columns - 1)], columns, theme)
  }
  const busy: readonly Span[] = [
    ...(pendingCalls > 0 || bulk !== undefined || awaited !== undefined
      ? [[`${theme.symbols.status.active} `, 'warning'] satisfies Span]
      : []),
    ...(bulk === undefined ? [] : bulkSpans(bulk)),
  ]
  return renderLine([' ', ...busy, ...keySpans(availableKeys(state), columns - 1 - spansWidth(busy))], columns, theme)
}

function bulkSpans({ finished, total, stopping }: Bulk): readonly Span[] {
  const progress = countOfTotal(finished, total)
  if (stopping) return [[`stopping at ${progress}`, 'warning'], '   ']
  return [[progress, 'warning'], ', ', ['Esc', 'accent'], ' stops   ']
}

type KeyLabel = readonly [key: string, label: string]

const OVERLAY_KEYS: Readonly<Record<NonNullable<State['overlay']>['kind'], readonly KeyLabel[]>> = {
  help: [
    ['↑ ↓', 'scroll'],
    ['any key', 'close'],
  ],
  confirm: [
    ['Enter', 'yes'],
    ['Esc', 'no'],
  ],
  filter: [
    ['Enter', 'apply'],
    ['Esc', 'cancel'],
  ],
  find: [
    ['Enter', 'keep'],
    ['Esc', 'cancel'],
  ],
  palette: [
    ['Enter', 'run'],
    ['↑ ↓', 'choose'],
    ['Esc', 'cancel'],
  ],
  form: [
    ['Enter', 'submit'],
    ['Tab', 'next field'],
    ['← →', 'choose'],
    ['Esc', 'cancel'],
  ],
}

/** The keys while the whole help fits on the screen. */
const UNSCROLLED_HELP_KEYS: readonly KeyLabel[] = [['any key', 'close']]

/** Help and quit are first, so that a narrow screen shows them. The others follow if they are available. */
function availableKeys(state: State): readonly KeyLabel[] {
  const commands = (Object.keys(KEY_TABLE) as Command[]).filter((command) => isAvailable(state, command))
  const first: readonly Command[] = ['help', 'quit']
  return [...first, ...commands.filter((command) => !first.includes(command))].map((command) => {
    const { shown, label = '' } = keyRow(command)
    return [shown.split(' ')[0] ?? shown, command === 'freeze' && state.clock?.mode === 'frozen' ? 'resume' : label]
  })
}

function isAvailable(state: State, command: Command): boolean {
  if (keyRow(command).label === undefined || (state.readOnly && changesData(command))) return false
  if (ROW_ACTIONS.includes(command as RowAction))
    return rowActionIssue(selectedRow(state), command as RowAction, state.pane) === undefined
  const { selectedId, filter } = state.listViews[state.pane]
  if (command === 'first') return state.focus === 'list' && selectedId !== undefined
  if (command === 'enter') return state.focus === 'list' && selectedRow(state) !== undefined
  if (command === 'leave' && state.bulk?.stopping === false) return false
  if (command === 'leave') return state.focus === 'detail' || filter !== '' || state.marks.size > 0
  return true
}

const MORE_HINT: readonly Span[] = ['more: ', ['?', 'accent']]

/** Returns as many keys as fit. If some are omitted, the hint to the help follows. */
function keySpans(keys: readonly KeyLabel[], width: number): readonly Span[] {
  const spans: Span[] = []
  const totalWidth = keys.reduce((sum, [key, label]) => sum + spansWidth([key, ` ${label}   `]), 0)
  const more = totalWidth - 3 > width ? MORE_HINT : []
  let rest = totalWidth - 3 > width ? width - spansWidth(more) : totalWidth
  for (const [key, label] of keys) {
    const pair: readonly Span[] = [[key, 'accent'], ` ${label}   `]
    rest -= spansWidth(pair)
    if (rest < 0) break
    spans.push(...pair)
  }
  return [...spans, ...more]
}
