// Every key of the view, in the order of the help. The footer, the help and docs/guides/ui.md show this table.
interface KeyRow {
  /** Names from input-parser.ts. */
  readonly keys: readonly string[]
  /** The keys as shown to the user. */
  readonly shown: string
  /** The label in the footer. Without it, the footer omits the key. */
  readonly label?: string
  readonly description: string
}

export const KEY_TABLE = {
  up: { keys: ['up', 'k'], shown: '↑ k', description: 'one row up, to newer rows; in the detail, one line up' },
  down: { keys: ['down', 'j'], shown: '↓ j', description: 'one row down, to older rows; following pauses' },
  first: {
    keys: ['g', 'home'],
    shown: 'g Home',
    label: 'newest',
    description: 'to the first row; at the newest row, following continues',
  },
  last: { keys: ['G', 'end'], shown: 'G End', description: 'to the last row' },
  page_up: { keys: ['page_up', 'ctrl+u'], shown: 'PgUp', description: 'a page up' },
  page_down: { keys: ['page_down', 'ctrl+d'], shown: 'PgDn', description: 'a page down' },
  next_pane: { keys: ['tab', 'right', 'l'], shown: 'Tab →', description: 'to the next pane' },
  previous_pane: { keys: ['shift+tab', 'left', 'h'], shown: 'Shift-Tab ←', description: 'to the previous pane' },
  pane: { keys: ['1', '2', '3', '4', '5'], shown: '1-5', description: 'to the pane with this number' },
  enter: { keys: ['enter'], shown: 'Enter', label: 'detail', description: 'open the detail of the selected row' },
  leave: {
    keys: ['escape'],
    shown: 'Esc',
    label: 'back',
    description: 'back: leave the detail, then clear the filter, then go to the newest row',
  },
  new: { keys: ['n'], shown: 'n', label: 'new', description: 'create a payment or a payout with a chosen outcome' },
  pay: { keys: ['p'], shown: 'p', label: 'pay', description: 'pay the payment, or complete the payout' },
  decline: {
    keys: ['d'],
    shown: 'd',
    label: 'decline',
    description: 'decline the payment or the payout with a failure code',
  },
  cancel: { keys: ['c'], shown: 'c', label: 'cancel', description: 'cancel the payment; asks first' },
  refund: { keys: ['r'], shown: 'r', label: 'refund', description: 'refund the payment, fully or partially' },
  replay: { keys: ['x'], shown: 'x', label: 'replay', description: 'send the newest webhook event again; asks first' },
  retry: { keys: ['R'], shown: 'R', label: 'retry', description: 'attempt the delivery again now' },
  page: { keys: ['o'], shown: 'o', label: 'page', description: 'open the payment page in the browser' },
  advance: {
    keys: ['a'],
    shown: 'a',
    label: 'advance',
    description: 'advance the clock and run everything that becomes due',
  },
  freeze: { keys: ['f'], shown: 'f', label: 'freeze', description: 'freeze the clock, or resume it' },
  filter: { keys: ['/'], shown: '/', label: 'filter', description: 'show only rows that contain these words' },
  sort: { keys: ['s'], shown: 's', label: 'sort', description: 'sort the rows by the next order' },
  copy: { keys: ['y'], shown: 'y', label: 'copy id', description: 'copy the id through the terminal (OSC 52)' },
  help: { keys: ['?'], shown: '?', label: 'help', description: 'show this table' },
  quit: {
    keys: ['q', 'ctrl+c'],
    shown: 'q',
    label: 'quit',
    description: 'quit; a sandbox that the view started is closed, and its data is kept',
  },
} as const satisfies Record<string, KeyRow>

export type Command = keyof typeof KEY_TABLE

const BY_KEY: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries(KEY_TABLE).flatMap(([command, { keys }]) => keys.map((key) => [key, command as Command] as const)),
)

export function commandOf(key: string): Command | undefined {
  return BY_KEY.get(key)
}

export function keyRow(command: Command): KeyRow {
  return KEY_TABLE[command]
}
