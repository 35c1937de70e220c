// Every key of the view, in the order of help. The footer, the help and docs/guides/ui.md show this table.

interface KeyRow {
  /** As the terminal names them, see {@link file://./key-names.ts}. */
  readonly keys: readonly string[]
  /** As people write them. */
  readonly shown: string
  /** In the footer, where there is room. */
  readonly label?: string
  readonly description: string
}

export const KEY_TABLE = {
  up: { keys: ['up', 'k'], shown: '↑ k', description: 'one row up, to the newer; in the detail, one line up' },
  down: { keys: ['down', 'j'], shown: '↓ j', description: 'one row down, to the older; following pauses' },
  first: {
    keys: ['g', 'home'],
    shown: 'g Home',
    label: 'newest',
    description: 'to the first row: at the newest, following goes on',
  },
  last: { keys: ['G', 'end'], shown: 'G End', description: 'to the last row' },
  page_up: { keys: ['page_up', 'ctrl+u'], shown: 'PgUp', description: 'a page up' },
  page_down: { keys: ['page_down', 'ctrl+d'], shown: 'PgDn', description: 'a page down' },
  next_pane: { keys: ['tab', 'right', 'l'], shown: 'Tab →', description: 'to the next pane' },
  previous_pane: { keys: ['shift+tab', 'left', 'h'], shown: 'Shift-Tab ←', description: 'to the pane before' },
  pane: { keys: ['1', '2', '3', '4', '5'], shown: '1-5', description: 'to that pane' },
  enter: { keys: ['enter'], shown: 'Enter', label: 'detail', description: 'into the detail of the chosen row' },
  leave: {
    keys: ['escape'],
    shown: 'Esc',
    label: 'back',
    description: 'back: out of the detail, then the filter, then to the newest',
  },
  new: { keys: ['n'], shown: 'n', label: 'new', description: 'a new payment or payout, with its outcome' },
  pay: { keys: ['p'], shown: 'p', label: 'pay', description: 'pay the payment, settle the payout' },
  decline: { keys: ['d'], shown: 'd', label: 'decline', description: 'decline it, with a failure code' },
  cancel: { keys: ['c'], shown: 'c', label: 'cancel', description: 'cancel the payment; asks first' },
  refund: { keys: ['r'], shown: 'r', label: 'refund', description: 'refund the payment, whole or in part' },
  replay: { keys: ['x'], shown: 'x', label: 'replay', description: 'send the newest webhook event again; asks first' },
  retry: { keys: ['R'], shown: 'R', label: 'retry', description: 'one more attempt of the delivery, now' },
  page: { keys: ['o'], shown: 'o', label: 'page', description: 'open the payment page in the browser' },
  advance: {
    keys: ['a'],
    shown: 'a',
    label: 'advance',
    description: 'move the clock ahead: all that falls due happens',
  },
  freeze: { keys: ['f'], shown: 'f', label: 'freeze', description: 'freeze the clock, or let it run again' },
  filter: { keys: ['/'], shown: '/', label: 'filter', description: 'show only rows that hold these words' },
  sort: { keys: ['s'], shown: 's', label: 'sort', description: 'the next order of the rows' },
  copy: { keys: ['y'], shown: 'y', label: 'copy id', description: 'copy the id, through the terminal (OSC 52)' },
  help: { keys: ['?'], shown: '?', label: 'help', description: 'this table' },
  quit: {
    keys: ['q', 'ctrl+c'],
    shown: 'q',
    label: 'quit',
    description: 'end; a sandbox of its own is closed, its data stay',
  },
} as const satisfies Record<string, KeyRow>

export type Command = keyof typeof KEY_TABLE

const BY_KEY: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries(KEY_TABLE).flatMap(([command, { keys }]) => keys.map((key) => [key, command as Command] as const)),
)

export function commandOf(key: string): Command | undefined {
  return BY_KEY.get(key)
}

/** The row of a command, with its label where it has one. */
export function keyRow(command: Command): KeyRow {
  return KEY_TABLE[command]
}
