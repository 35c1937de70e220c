// The last line: what was just done, or the keys of the moment.

import { type Command, KEY_TABLE, keyRow } from '../keys/key-table.ts'
import { line, type Part, stranger, widthOf } from '../looks/line.ts'
import type { Looks } from '../looks/looks.ts'
import { ACTS, type Act, whyNot } from '../state/offers.ts'
import { chosenRow } from '../state/seen-rows.ts'
import type { State } from '../state/state.ts'
import { helpLimit } from './help.ts'

export function footer(state: State, looks: Looks): string {
  const { columns } = state.size
  const { notice, overlay, waiting } = state
  if (overlay !== undefined) {
    const keys = overlay.kind === 'help' && helpLimit(state) === 0 ? HELP_WHOLE : OVERLAY_KEYS[overlay.kind]
    return line([' ', ...pairs(keys, columns - 1)], columns, looks)
  }
  if (notice !== undefined) return line([' ', [stranger(notice.text), notice.look]], columns, looks)
  const busy: readonly Part[] = waiting > 0 ? [['… ', 'odd']] : []
  return line([' ', ...busy, ...pairs(keysOf(state), columns - 1 - widthOf(busy))], columns, looks)
}

type Pair = readonly [key: string, label: string]

const OVERLAY_KEYS: Readonly<Record<NonNullable<State['overlay']>['kind'], readonly Pair[]>> = {
  help: [
    ['↑ ↓', 'more'],
    ['any key', 'back'],
  ],
  confirm: [
    ['y', 'yes'],
    ['n', 'no'],
  ],
  filter: [
    ['Enter', 'keep'],
    ['Esc', 'as before'],
  ],
  form: [
    ['Enter', 'do it'],
    ['Tab', 'next field'],
    ['← →', 'choose'],
    ['Esc', 'leave'],
  ],
}

/** All of it is in view. */
const HELP_WHOLE: readonly Pair[] = [['any key', 'back']]

/** Help and quit stand first, so that a narrow screen keeps them; then what the chosen row allows. */
function keysOf(state: State): readonly Pair[] {
  const commands = (Object.keys(KEY_TABLE) as Command[]).filter((command) => isOffered(state, command))
  const first: readonly Command[] = ['help', 'quit']
  return [...first, ...commands.filter((command) => !first.includes(command))].map((command) => {
    const { shown, label = '' } = keyRow(command)
    return [shown.split(' ')[0] ?? shown, command === 'freeze' && state.clock?.mode === 'frozen' ? 'resume' : label]
  })
}

function isOffered(state: State, command: Command): boolean {
  if (keyRow(command).label === undefined) return false
  if (ACTS.includes(command as Act)) return whyNot(state, command as Act) === undefined
  const { chosen, filter } = state.gazes[state.pane]
  if (command === 'first') return state.focus === 'list' && chosen !== undefined
  if (command === 'enter') return state.focus === 'list' && chosenRow(state) !== undefined
  if (command === 'leave') return state.focus === 'detail' || filter !== ''
  return true
}

const MORE: readonly Part[] = ['more: ', ['?', 'name']]

/** As many as fit, and where that is not all, the key that shows the rest. */
function pairs(all: readonly Pair[], width: number): readonly Part[] {
  const parts: Part[] = []
  const whole = all.reduce((sum, [key, label]) => sum + widthOf([key, ` ${label}   `]), 0)
  const more = whole - 3 > width ? MORE : []
  let room = whole - 3 > width ? width - widthOf(more) : whole
  for (const [key, label] of all) {
    const pair: readonly Part[] = [[key, 'name'], ` ${label}   `]
    room -= widthOf(pair)
    if (room < 0) break
    parts.push(...pair)
  }
  return [...parts, ...more]
}
