// Which module may import which. Imports point down only. Modules of one layer import each other only if the table says so.
export interface Module {
  readonly layer: number
  readonly imports: readonly string[]
}

const SERVER = ['domain', 'system-clock', 'receiver-client', 'engine', 'random', 'time', 'store', 'delivery', 'http']

/** A module is a directory of src/, or a file directly in src/ (see `moduleOf`). */
export const MODULES: { readonly [module: string]: Module } = {
  domain: { layer: 0, imports: [] },
  'system-clock': { layer: 0, imports: ['domain'] },
  // Reads files of the package from disk, or from the executable.
  'package-files': { layer: 0, imports: [] },
  // One POST request to a receiver and its response. The dispatcher and a listener share it.
  'receiver-client': { layer: 1, imports: ['domain'] },
  // Merchants import it in production, so it contains no part of the sandbox. The server diagnoses with it.
  webhooks: { layer: 1, imports: ['domain'] },
  engine: { layer: 1, imports: ['domain'] },
  // Ids and random numbers, with or without a seed.
  random: { layer: 2, imports: ['engine'] },
  time: { layer: 2, imports: ['domain', 'system-clock', 'engine'] },
  store: { layer: 2, imports: ['domain', 'system-clock', 'package-files', 'engine'] },
  delivery: { layer: 2, imports: ['domain', 'system-clock', 'receiver-client', 'engine'] },
  http: {
    layer: 3,
    imports: ['domain', 'system-clock', 'package-files', 'engine', 'random', 'time', 'store', 'delivery', 'webhooks'],
  },
  sandbox: { layer: 3, imports: SERVER },
  node: { layer: 4, imports: ['domain', 'system-clock', 'delivery', 'http', 'sandbox'] },
  msw: { layer: 4, imports: ['domain', 'system-clock', 'receiver-client', 'http', 'sandbox'] },
  testing: { layer: 4, imports: [...SERVER, 'sandbox', 'node', 'client', 'scenarios', 'audit', 'explore', 'webhooks'] },
  // A separate module, because users of another test runner do not install vitest.
  vitest: { layer: 5, imports: ['testing'] },
  // Works over any fetch-like function, so it knows the types of the domain only.
  client: { layer: 4, imports: ['domain'] },
  scenarios: { layer: 4, imports: ['domain', 'system-clock', 'package-files', 'client'] },
  audit: { layer: 4, imports: ['domain', 'package-files', 'receiver-client', 'system-clock', 'client', 'webhooks'] },
  // Searches for the order of events that breaks a handler. Its stories run on the engine in memory.
  explore: { layer: 4, imports: ['domain', 'system-clock', 'engine', 'random', 'store', 'audit'] },
  // Reads, writes and replays recordings of real traffic.
  recordings: {
    layer: 4,
    imports: ['domain', 'receiver-client', 'system-clock', 'client', 'scenarios', 'explore', 'webhooks'],
  },
  // Formats text and times for any terminal.
  terminal: { layer: 4, imports: ['domain'] },
  // The terminal view and the dashboard share it. It runs in browsers, so it imports no module of Node.
  'view-model': { layer: 4, imports: ['domain', 'client'] },
  // Bundled for browsers.
  dashboard: { layer: 5, imports: ['domain', 'client', 'view-model'] },
  tui: { layer: 5, imports: ['domain', 'system-clock', 'client', 'terminal', 'view-model'] },
  // Uses the client for every operation. It may also start a sandbox in its own process. From the store it needs the lock,
  // which names the server of a data directory, and the errors that keep a directory from opening.
  cli: {
    layer: 5,
    imports: [
      'domain',
      'receiver-client',
      'system-clock',
      'random',
      'time',
      'store',
      'client',
      'scenarios',
      'audit',
      'explore',
      'recordings',
      'webhooks',
      'sandbox',
      'node',
      'tui',
      'terminal',
    ],
  },
  // The public `createSandbox`, which can also run scenarios.
  'create-sandbox': { layer: 4, imports: ['domain', 'sandbox', 'scenarios'] },
  index: { layer: 5, imports: [...SERVER, 'sandbox', 'create-sandbox', 'node', 'testing', 'client', 'webhooks'] },
}

/** Data of the project that any module may read. */
export const DATA = ['fixtures/', 'package.json']

/** The file that belongs to layer 0 without being in its directory. */
const SETTINGS = 'src/settings.ts'

/** The only places that may read a clock, set a timer or generate randomness. */
export const CLOCK_OWNERS = ['src/system-clock/', 'src/random.ts', 'src/dashboard/state/browser-clock.ts']

/** Scripts that run in the buyer's browser, which has no other clock. */
export const BROWSER = 'src/http/pages/assets/'

/** Exceptions to the rule on clocks: directory, name and reason. */
export const CLOCK_EXCEPTIONS = [
  { folder: 'src/webhooks/', name: 'Date.now', why: 'the default of `now`: merchants verify by their own clock' },
] as const

export const LONGEST_FILE = 250

/** Names that do not say what the file contains. */
export const FORBIDDEN_NAMES = ['util', 'utils', 'helper', 'helpers', 'common', 'misc', 'shared', 'lib']

/** 'src/http/public/operations.ts' -> 'http'. Undefined if the table has no such module. */
export function moduleOf(path: string): string | undefined {
  if (path === SETTINGS) return 'domain'
  const name = /^src\/([^/]+?)(?:\/|\.tsx?$)/.exec(path)?.[1]
  return name !== undefined && Object.hasOwn(MODULES, name) ? name : undefined
}
