// Renders the last line of the screen.

import { countOf } from '../../domain/count-text.ts'
import { isRowAction, rowActionIssue } from '../../view-model/actions/available-actions.ts'
import { countOfTotal } from '../../view-model/feed/run-each.ts'
import { visibleFields } from '../../view-model/forms/form-fields.ts'
import { selectedRow } from '../../view-model/rows/visible-rows.ts'
import { findPosition } from '../keys/find.ts'
import { type Command, changesData, KEY_TABLE } from '../keys/key-table.ts'
import type { Bulk, Overlay, State } from '../state/state.ts'
import { renderLine, type Span, spansWidth } from '../theme/styled-line.ts'
import type { Theme } from '../theme/theme.ts'
import { helpScrollLimit } from './help.ts'

export function renderFooter(state: State, theme: Theme): string {
  const { columns } = state.size
  const { overlay, pendingCalls, bulk, waiting } = state
  const matches = state.find === '' || state.focus !== 'detail' ? [] : matchSpans(state)
  if (overlay !== undefined) {
    const found = overlay.kind === 'find' ? matches : []
    return renderLine(
      [' ', ...found, ...keySpans(overlayKeys(state, overlay), columns - 1 - spansWidth(found), NO_HINT)],
      columns,
      theme,
    )
  }
  const busy: readonly Span[] = [
    ...(pendingCalls > 0 || bulk !== undefined || waiting !== undefined
      ? [[`${theme.symbols.status.active} `, 'warning'] satisfies Span]
      : []),
    ...(bulk === undefined ? [] : bulkSpans(bulk)),
    ...matches,
  ]
  return renderLine([' ', ...busy, ...keySpans(availableKeys(state), columns - 1 - spansWidth(busy))], columns, theme)
}

function bulkSpans({ finished, total, stopping }: Bulk): readonly Span[] {
  const progress = countOfTotal(finished, total)
  if (stopping) return [[`stopping at ${progress}`, 'warning'], '   ']
  return [[progress, 'warning'], ', ', ['Esc', 'accent'], ' stops   ']
}

/** Shows how many lines match, and which match is at the scroll position. */
function matchSpans(state: State): readonly Span[] {
  const { count, current } = findPosition(state)
  if (count === 0) return [['no match', 'warning'], '   ']
  const matches = countOf(count, 'match', 'matches')
  return [[current === 0 ? matches : countOfTotal(current, count), 'success'], '   ']
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
    ['Esc', 'cancel'],
    ['Tab', 'next'],
  ],
}

/** The most important keys are first. */
function overlayKeys(state: State, overlay: Overlay): readonly KeyLabel[] {
  if (overlay.kind === 'help' && helpScrollLimit(state) === 0) return UNSCROLLED_HELP_KEYS
  const keys = OVERLAY_KEYS[overlay.kind]
  if (overlay.kind !== 'form' || visibleFields(overlay.form)[overlay.form.field]?.choices === undefined) return keys
  return [...keys.slice(0, 2), ['← →', 'choose'], ...keys.slice(2)]
}

const FIND_KEYS: readonly KeyLabel[] = [
  ['n', 'next'],
  ['N', 'previous'],
  ['Esc', 'end'],
]

/** For a help that fits on the screen. */
const UNSCROLLED_HELP_KEYS: readonly KeyLabel[] = [['any key', 'close']]

/** During a search its keys are first. Help and quit follow, so that a narrow screen shows them. */
function availableKeys(state: State): readonly KeyLabel[] {
  const commands = (Object.keys(KEY_TABLE) as Command[]).filter((command) => isAvailable(state, command))
  const isSearched = state.find !== '' && state.focus === 'detail'
  const hidden: readonly Command[] = isSearched ? ['new', 'leave'] : []
  const first: readonly Command[] = ['help', 'quit']
  const others = commands.filter((command) => !first.includes(command) && !hidden.includes(command))
  const keys = [...first, ...others].map((command): KeyLabel => {
    const { shown, label = '' } = KEY_TABLE[command]
    return [shown.split(' ')[0] ?? shown, command === 'freeze' && state.clock?.mode === 'frozen' ? 'resume' : label]
  })
  return isSearched ? [...FIND_KEYS, ...keys] : keys
}

function isAvailable(state: State, command: Command): boolean {
  if (KEY_TABLE[command].label === undefined || (state.readOnly && changesData(command))) return false
  if (isRowAction(command)) return rowActionIssue(selectedRow(state), command, state.pane) === undefined
  const { selectedId, filter } = state.listViews[state.pane]
  if (command === 'first') return state.focus === 'list' && selectedId !== undefined
  if (command === 'enter') return state.focus === 'list' && selectedRow(state) !== undefined
  if (command === 'leave' && state.bulk?.stopping === false) return false
  if (command === 'leave') return state.focus === 'detail' || filter !== '' || state.marks.size > 0
  return true
}

/** The columns between two keys. */
const GAP = 3

const MORE_HINT: readonly Span[] = ['more: ', ['?', 'accent']]

/** In an overlay `?` does not open the help. */
const NO_HINT: readonly Span[] = []

/** Returns as many keys as fit. If some are omitted, the hint follows. */
function keySpans(keys: readonly KeyLabel[], width: number, hint = MORE_HINT): readonly Span[] {
  const spans: Span[] = []
  const totalWidth = keys.reduce((sum, [key, label]) => sum + spansWidth([key, ` ${label}   `]), 0)
  const more = totalWidth - 3 > width ? hint : []
  let rest = totalWidth - 3 > width ? width - spansWidth(more) : totalWidth
  for (const [key, label] of keys) {
    const pair: readonly Span[] = [[key, 'accent'], ` ${label}`]
    rest -= spansWidth(pair)
    // At the end of the line no gap is needed.
    if (rest < (more.length === 0 ? 0 : GAP)) break
    spans.push(...pair, ' '.repeat(Math.min(GAP, rest)))
    rest -= GAP
  }
  return [...spans, ...more]
}
