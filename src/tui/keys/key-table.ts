// Every key of the view, in the order of the help. The footer, the help and docs/guides/ui.md show this table.
import type { ActionIssue, Remedy } from '../../view-model/actions/available-actions.ts'

type KeyGroup = 'Move' | 'Act on a row' | 'Sandbox' | 'Find and compare' | 'View'

interface KeyRow {
  readonly group: KeyGroup
  /** Names from input-parser.ts. */
  readonly keys: readonly string[]
  /** The keys as shown to the user. */
  readonly shown: string
  /** The label in the footer. Without it, the footer omits the key. */
  readonly label?: string
  readonly description: string
}

export const KEY_TABLE = {
  ...keyGroup('Move', {
    up: { keys: ['up', 'k'], shown: '↑ k', description: 'one row up, to newer rows; in the detail, one line up' },
    down: {
      keys: ['down', 'j'],
      shown: '↓ j',
      description: 'one row down, to older rows; the selection stops following new rows',
    },
    first: {
      keys: ['g', 'home'],
      shown: 'g Home',
      label: 'newest',
      description: 'to the first row; from there the selection follows new rows',
    },
    last: { keys: ['G', 'end'], shown: 'G End', description: 'to the last row' },
    page_up: { keys: ['page_up', 'ctrl+u'], shown: 'PgUp', description: 'a page up' },
    page_down: { keys: ['page_down', 'ctrl+d'], shown: 'PgDn', description: 'a page down' },
    next_pane: { keys: ['tab', 'right', 'l'], shown: 'Tab →', description: 'to the next pane' },
    previous_pane: { keys: ['shift+tab', 'left', 'h'], shown: 'Shift-Tab ←', description: 'to the previous pane' },
    pane: { keys: ['1', '2', '3', '4', '5'], shown: '1-5', description: 'to the pane with this number' },
    enter: {
      keys: ['enter'],
      shown: 'Enter',
      label: 'detail',
      description: 'open the detail, at the failed attempt if there is one; in the detail, fold or unfold JSON',
    },
    leave: {
      keys: ['escape'],
      shown: 'Esc',
      label: 'back',
      description: 'back: stop an action on many rows, leave the detail, clear marks and filter, go to the first row',
    },
  }),
  ...keyGroup('Act on a row', {
    pay: { keys: ['p'], shown: 'p', label: 'pay', description: 'pay the payment, or complete the payout; asks first' },
    decline: {
      keys: ['d'],
      shown: 'd',
      label: 'decline',
      description: 'decline the payment or the payout with a failure code',
    },
    cancel: { keys: ['c'], shown: 'c', label: 'cancel', description: 'cancel the payment; asks first' },
    refund: { keys: ['r'], shown: 'r', label: 'refund', description: 'refund the payment, fully or partially' },
    replay: {
      keys: ['x'],
      shown: 'x',
      label: 'replay',
      description: 'send the newest webhook event again; asks first',
    },
    retry: {
      keys: ['R'],
      shown: 'R',
      label: 'retry',
      description: 'attempt the failing delivery again now; asks first if no delivery fails',
    },
    resend: {
      keys: ['e'],
      shown: 'e',
      description: 'send the newest webhook event again, to another URL or with the timestamp of its first attempt',
    },
    edit_body: {
      keys: ['E'],
      shown: 'E',
      description: 'edit the body of the newest webhook in $VISUAL or $EDITOR, and send it signed; asks first',
    },
    page: { keys: ['o'], shown: 'o', label: 'page', description: 'open the payment page in the browser' },
    copy: { keys: ['y'], shown: 'y', label: 'copy id', description: 'copy the id through the terminal (OSC 52)' },
    copy_as: {
      keys: ['Y'],
      shown: 'Y',
      description: 'copy a curl command of the newest attempt or the request, or a psp verify command',
    },
    mark: { keys: [' '], shown: 'Space', description: 'mark the row; p d c x R then act on all marked rows' },
    mark_all: { keys: ['*'], shown: '*', description: 'mark all shown rows, or remove all marks' },
  }),
  ...keyGroup('Sandbox', {
    new: { keys: ['n'], shown: 'n', label: 'new', description: 'create a payment or a payout with a chosen outcome' },
    advance: {
      keys: ['a'],
      shown: 'a',
      label: 'advance',
      description: 'advance the clock and run everything that becomes due',
    },
    freeze: { keys: ['f'], shown: 'f', label: 'freeze', description: 'freeze the clock, or resume it' },
  }),
  ...keyGroup('Find and compare', {
    filter: {
      keys: ['/'],
      shown: '/',
      label: 'filter',
      description: 'show only rows that match words or field values; in the detail, search',
    },
    sort: { keys: ['s'], shown: 's', label: 'sort', description: 'change the sort order of the rows' },
    attention: { keys: ['!'], shown: '!', description: 'show only failing webhooks (!2: two fail), or all again' },
    compare: { keys: ['='], shown: '=', description: 'compare the last two attempts in the detail' },
    verify: {
      keys: ['v'],
      shown: 'v',
      description: 'verify the signature of the newest attempt, and explain the result',
    },
    fold: { keys: ['z'], shown: 'z', description: 'in the detail: fold or unfold all JSON' },
    next_node: {
      keys: [']'],
      shown: ']',
      description: 'in the detail: to the next JSON object or list; Enter folds it',
    },
    previous_node: { keys: ['['], shown: '[', description: 'in the detail: to the previous JSON object or list' },
  }),
  ...keyGroup('View', {
    palette: { keys: [':'], shown: ':', description: 'find a command by words of its label or description' },
    help: { keys: ['?'], shown: '?', label: 'help', description: 'show this table' },
    mouse: { keys: ['m'], shown: 'm', description: 'turn the mouse off or on; without it, the terminal selects text' },
    suspend: { keys: ['ctrl+z'], shown: 'Ctrl-Z', description: 'suspend the view; the shell command fg continues it' },
    quit: {
      keys: ['q', 'ctrl+c'],
      shown: 'q',
      label: 'quit',
      description: 'quit; a sandbox that the view started is closed, and its data is kept',
    },
  }),
}

function keyGroup<C extends string>(group: KeyGroup, rows: Readonly<Record<C, Omit<KeyRow, 'group'>>>) {
  const entries = Object.entries<Omit<KeyRow, 'group'>>(rows).map(([command, row]) => [command, { group, ...row }])
  return Object.fromEntries(entries) as Record<C, KeyRow>
}

export type Command = keyof typeof KEY_TABLE

/** A command that reads the detail of the selected row. */
export type DetailCommand = 'resend' | 'edit_body' | 'compare' | 'verify' | 'copy_curl' | 'copy_verify'

const BY_KEY: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries(KEY_TABLE).flatMap(([command, { keys }]) => keys.map((key) => [key, command as Command] as const)),
)

/** The commands that change data of the sandbox. A view that uses the view token does not offer them. */
const CHANGES: ReadonlySet<string> = new Set<Command>([
  ...(['pay', 'decline', 'cancel', 'refund', 'replay', 'retry', 'resend', 'edit_body'] as const),
  ...(['new', 'advance', 'freeze'] as const),
])

export function changesData(command: string): boolean {
  return CHANGES.has(command)
}

export function commandOf(key: string): Command | undefined {
  return BY_KEY.get(key)
}

const REMEDIES: Readonly<Record<Remedy, string>> = {
  show_payments: 'Press 1 to show payments.',
  show_webhooks: 'Press 3 to show webhooks.',
  create: 'Press n to create another one.',
  clear_marks: 'Press Esc to remove the marks.',
  show_marked: 'Clear the filter, or press Esc to remove the marks.',
}

export function issueText({ text, remedy }: ActionIssue): string {
  return remedy === undefined ? text : `${text} ${REMEDIES[remedy]}`
}
