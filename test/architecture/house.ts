// Who may import whom. Layers go down only; within a layer rooms do not know each other unless listed.
export interface Room {
  readonly layer: number
  readonly imports: readonly string[]
}

const SERVER = ['domain', 'receiver-client', 'engine', 'time', 'store', 'delivery', 'http']

/** A room is a folder of src/, or a file directly in it (see `roomOf`). */
export const HOUSE: { readonly [room: string]: Room } = {
  domain: { layer: 0, imports: [] },
  // One POST to a receiver and its answer: what the courier sends, and what a listener forwards.
  'receiver-client': { layer: 1, imports: ['domain'] },
  engine: { layer: 1, imports: ['domain'] },
  time: { layer: 2, imports: ['domain', 'engine'] },
  store: { layer: 2, imports: ['domain', 'engine'] },
  delivery: { layer: 2, imports: ['domain', 'receiver-client', 'engine'] },
  http: { layer: 3, imports: ['domain', 'engine', 'time', 'store', 'delivery'] },
  sandbox: { layer: 3, imports: SERVER },
  node: { layer: 4, imports: [...SERVER, 'sandbox'] },
  msw: { layer: 4, imports: [...SERVER, 'sandbox'] },
  testing: { layer: 4, imports: [...SERVER, 'sandbox', 'node', 'client', 'scenarios', 'webhooks'] },
  // The fixture of one test runner, apart: who uses another does not need this one.
  vitest: { layer: 5, imports: ['testing'] },
  // It works over any fetch, a real service's too.
  client: { layer: 4, imports: ['domain'] },
  scenarios: { layer: 4, imports: ['domain', 'time', 'client'] },
  audit: { layer: 4, imports: ['domain', 'receiver-client', 'time', 'client', 'webhooks'] },
  // How text and times are shown in a terminal, whoever shows them.
  terminal: { layer: 4, imports: [] },
  // For merchants: nothing of the sandbox comes along.
  webhooks: { layer: 4, imports: ['domain'] },
  // Both speak to a sandbox through the client alone. The CLI may also start one in its own process; of the store it
  // knows the lock, which names the server of a folder, and what keeps a folder from opening.
  tui: { layer: 5, imports: ['domain', 'time', 'client', 'terminal'] },
  cli: {
    layer: 5,
    imports: [
      'domain',
      'receiver-client',
      'time',
      'store',
      'client',
      'scenarios',
      'audit',
      'webhooks',
      'sandbox',
      'node',
      'tui',
      'terminal',
    ],
  },
  // What the package gives as `createSandbox`: it plays scenarios, too.
  'playing-sandbox': { layer: 4, imports: ['domain', 'sandbox', 'scenarios'] },
  index: { layer: 5, imports: [...SERVER, 'sandbox', 'playing-sandbox', 'node', 'testing', 'client', 'webhooks'] },
}

/** Data of the project that any room may read. */
export const DATA = ['fixtures/', 'package.json']

/** The file that belongs to layer 0 without being in its folder. */
const SETTINGS = 'src/settings.ts'

/** The only room that may read a clock, set a timer or draw randomness. */
export const TIME = 'src/time/'

/** Scripts that run in the buyer's browser, which has no other clock. */
export const BROWSER = 'src/http/pages/assets/'

/** Exceptions to the rule on clocks: path, name, why. */
export const CLOCK_EXCEPTIONS = [
  { folder: 'src/webhooks/', name: 'Date.now', why: 'the default of `now`: merchants verify by their own clock' },
] as const

export const LONGEST_FILE = 250

/** Names that say nothing about what is inside. */
export const MISSING_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared', 'lib']

/** 'src/http/public/payments.ts' -> 'http'; undefined where the house has no such room. */
export function roomOf(path: string): string | undefined {
  if (path === SETTINGS) return 'domain'
  const name = /^src\/([^/]+?)(?:\/|\.tsx?$)/.exec(path)?.[1]
  return name !== undefined && Object.hasOwn(HOUSE, name) ? name : undefined
}
