// Maps names that users of other tools may type to the names of psp.

/** Verbs with one meaning. A group has at most one command of each line. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['add', 'create', 'new', 'make', 'generate', 'inject'],
  ['remove', 'delete', 'rm', 'del', 'destroy', 'revoke', 'forget'],
  ['list', 'ls', 'snapshots', 'search', 'find'],
  ['get', 'show', 'retrieve', 'view', 'describe', 'inspect', 'status'],
  ['update', 'set', 'edit', 'change', 'modify', 'rename'],
  ['clear', 'reset', 'wipe', 'clean'],
  ['advance', 'tick', 'forward', 'travel', 'move', 'skip'],
  ['freeze', 'stop', 'pause'],
  ['resume', 'start', 'run', 'continue', 'unfreeze'],
  ['snapshot', 'save'],
  ['restore', 'load', 'rollback'],
  ['export', 'backup', 'dump'],
  ['pay', 'succeed', 'complete', 'confirm', 'capture'],
  ['decline', 'fail', 'reject'],
  ['cancel', 'void', 'abort'],
  ['settle', 'approve'],
  ['replay', 'retry', 'resend', 'redeliver'],
]

/** Full command names that users may type, with the full name of the psp command. */
const COMMANDS: Readonly<Record<string, string>> = {
  'psp reset': 'psp store reset',
  'psp snapshot': 'psp store snapshot',
  'psp snapshots': 'psp store snapshots',
  'psp restore': 'psp store restore',
  'psp export': 'psp store export',
  'psp import': 'psp store import',
  'psp endpoints': 'psp webhooks endpoints',
  'psp deliveries': 'psp webhooks deliveries',
  'psp create': 'psp payments create',
  'psp open': 'psp payments open',
  'psp pay': 'psp payments pay',
  'psp decline': 'psp payments decline',
  'psp cancel': 'psp payments cancel',
  'psp refund': 'psp payments refund',
  'psp refunds': 'psp payments refund',
  'psp resend': 'psp events replay',
  'psp replay': 'psp events replay',
  'psp webhooks create': 'psp webhooks endpoints create',
  'psp webhooks list': 'psp webhooks endpoints list',
  'psp webhooks replay': 'psp events replay',
  'psp webhooks retry': 'psp webhooks deliveries retry',
  'psp webhooks events': 'psp events',
  'psp webhooks logs': 'psp webhooks deliveries',
  'psp webhooks test': 'psp trigger',
  'psp webhooks send': 'psp trigger',
  'psp webhooks trigger': 'psp trigger',
  'psp webhooks sign': 'psp sign',
  'psp webhooks verify': 'psp verify',
  'psp webhooks listen': 'psp listen',
  'psp webhooks forward': 'psp listen',
  'psp events send': 'psp trigger',
  'psp events trigger': 'psp trigger',
  'psp events create': 'psp trigger',
  'psp events tail': 'psp tail',
  'psp events watch': 'psp tail',
  'psp events listen': 'psp listen',
  'psp events wait': 'psp wait',
  'psp payments wait': 'psp wait',
  'psp payouts pay': 'psp payouts settle',
  'psp payouts decline': 'psp payouts settle',
  'psp store create': 'psp store snapshot',
  'psp store delete': 'psp store forget',
  'psp clock set': 'psp clock advance --to',
  'psp clock now': 'psp clock show',
  'psp logs tail': 'psp logs --follow',
  'psp logs watch': 'psp logs --follow',
  'psp logs follow': 'psp logs --follow',
  'psp trigger list': 'psp trigger --list',
  'psp trigger show': 'psp trigger --list',
  'psp settings list': 'psp settings',
  'psp settings show': 'psp settings',
  'psp settings update': 'psp settings set',
  'psp config list': 'psp config',
  'psp config get': 'psp config',
  'psp config set': 'psp settings set',
  'psp save': 'psp store snapshot',
  'psp time': 'psp clock',
  'psp watch': 'psp tail',
  'psp forward': 'psp listen',
  'psp proxy': 'psp record',
  'psp diff': 'psp compare',
  'psp test': 'psp audit',
  'psp dashboard': 'psp ui --web',
  'psp web': 'psp ui --web',
  'psp console': 'psp ui',
  'psp simulate': 'psp trigger',
  'psp mock': 'psp serve',
  'psp api': 'psp request',
  'psp curl': 'psp request',
  'psp start': 'psp serve',
  'psp server': 'psp serve',
  'psp up': 'psp serve',
  'psp dev': 'psp serve',
  'psp run': 'psp exec',
  'psp get': 'psp request GET',
  'psp post': 'psp request POST',
  'psp put': 'psp request PUT',
  'psp patch': 'psp request PATCH',
  'psp delete': 'psp request DELETE',
  'psp endpoint': 'psp webhooks endpoints',
  'psp webhook_endpoints': 'psp webhooks endpoints',
  'psp webhook-endpoints': 'psp webhooks endpoints',
  'psp webhook': 'psp webhooks',
  'psp payment': 'psp payments',
  'psp payout': 'psp payouts',
  'psp event': 'psp events',
  'psp payment_intents': 'psp payments',
  'psp charges': 'psp payments',
  'psp status': 'psp doctor',
  'psp advance': 'psp clock advance',
  'psp freeze': 'psp clock freeze',
  'psp scenarios': 'psp trigger --list',
  'psp fixtures': 'psp trigger --list',
  'psp env': 'psp config --env',
  'psp login': 'psp config --env',
  'psp version': 'psp --version',
}

/** Options that users may type, with the option or the command of psp. */
const FLAGS: Readonly<Record<string, string>> = {
  'psp payments create --order': '--order-id',
  'psp payments list --order': '--order-id',
  'psp audit --order': '--order-id',
  'psp events list --order-id': '--order',
  'psp events replay --order-id': '--order',
  'psp events export --order-id': '--order',
  'psp trigger --amount': '--set amount=…',
  'psp trigger --order-id': '--set order_id=…',
  'psp trigger --override': '--set',
  'psp trigger --add': '--set',
  'psp listen --forward-to': '--forward',
  'psp listen --print-json': '--json',
  'psp payments decline --reason': '--code',
  'psp events replay --status': 'psp webhooks deliveries retry --status exhausted',
  'psp events replay --failed': 'psp webhooks deliveries retry --status exhausted',
  'psp events replay --webhook-endpoint': '--to',
  'psp wait --match': '--where',
  'psp rules add --where': '--match',
  'psp faults add --where': '--match',
}

/** Options that users may type after any command, with the option of psp. */
const EVERYWHERE: ReadonlyMap<string, string> = new Map([
  ['--verbose', '--debug'],
  ['--silent', '--quiet'],
  ['--output', '--json'],
  ['--format', '--json'],
  ['-o', '--json'],
  ['--no-color', '--color never'],
  ['--token', '--api-key'],
])

const STOP = 'Stop `psp serve` with Ctrl-C or SIGTERM. `psp doctor` shows its process id.'
const FOREGROUND = 'psp runs in the foreground. Use `psp serve &` in a shell, or `psp exec -- CMD` in a script.'
const NO_SHOP_DELETION =
  'A shop cannot be deleted. `psp store reset --all` deletes all data, and leaves only the first shop and the shops of the seed.'
const SHOP_OF_KEY = 'An API key selects its shop: add --api-key, or set PSP_API_KEY.'
const RESTORES_DEFAULT = '`psp settings set NAME=null` restores the default.'
const NO_DELETION = '`psp store reset` deletes all payments, payouts and events. Single ones cannot be deleted.'

/** Advice for commands and options that have no equivalent. */
const ALTERNATIVES: Readonly<Record<string, string>> = {
  'psp stop': STOP,
  'psp kill': STOP,
  'psp restart': 'Stop `psp serve` with Ctrl-C and start it again. Its data directory is kept.',
  'psp serve --detach': FOREGROUND,
  'psp serve --daemon': FOREGROUND,
  'psp serve --background': FOREGROUND,
  'psp serve -d': FOREGROUND,
  'psp shops remove': NO_SHOP_DELETION,
  'psp payments remove': NO_DELETION,
  'psp payouts remove': NO_DELETION,
  'psp events remove': NO_DELETION,
  'psp shops use': SHOP_OF_KEY,
  'psp shops select': SHOP_OF_KEY,
  'psp shops switch': SHOP_OF_KEY,
  'psp keys rotate': 'Create a key with `psp keys create`, then revoke the old one with `psp keys revoke`.',
  'psp settings unset': RESTORES_DEFAULT,
  'psp settings clear': RESTORES_DEFAULT,
  'psp settings remove': RESTORES_DEFAULT,
  'psp init': 'psp needs no setup. `psp serve` creates its data directory and prints the URL and the keys.',
}

/**
 * Returns advice for a name that has no equivalent.
 * @param path full name of the group or command: `psp serve`
 * @param word the unknown command or option: `--detach`
 */
export function alternativeTo(path: string, word: string): string | undefined {
  return rowFor(ALTERNATIVES, path, word)
}

/** @param path full name of the group: `psp rules` */
export function commandAlias(path: string, word: string): string | undefined {
  return rowFor(COMMANDS, path, word)
}

/** Returns the row of the word. In a group, the row of a synonym also applies. */
function rowFor(table: Readonly<Record<string, string>>, path: string, word: string): string | undefined {
  const words = path === 'psp' ? [word] : [word, ...synonymsOf(word)]
  const name = words.map((each) => `${path} ${each}`).find((each) => Object.hasOwn(table, each))
  return name === undefined ? undefined : table[name]
}

export function synonymsOf(word: string): readonly string[] {
  return SYNONYMS.find((line) => line.includes(word)) ?? []
}

/** @param path full name of the command: `psp wait` */
export function flagAlias(path: string, flag: string): string | undefined {
  const name = `${path} ${flag}`
  return Object.hasOwn(FLAGS, name) ? FLAGS[name] : EVERYWHERE.get(flag)
}
