// Names that other tools use: what is called so here.

/** Whole names that people type, to the whole name of what they mean. */
const COMMANDS: Readonly<Record<string, string>> = {
  'psp reset': 'psp store reset',
  'psp snapshot': 'psp store snapshot',
  'psp snapshots': 'psp store snapshots',
  'psp restore': 'psp store restore',
  'psp export': 'psp store export',
  'psp import': 'psp store import',
  'psp endpoints': 'psp webhooks endpoints',
  'psp deliveries': 'psp webhooks deliveries',
  'psp webhooks endpoints add': 'psp webhooks endpoints create',
  'psp webhooks endpoints remove': 'psp webhooks endpoints delete',
  'psp store list': 'psp store snapshots',
  'psp rules create': 'psp rules add',
  'psp rules delete': 'psp rules remove',
  'psp faults create': 'psp faults add',
  'psp faults delete': 'psp faults remove',
}

/** Options, by the command that knows them under another name. */
const FLAGS: Readonly<Record<string, string>> = {
  'psp wait --match': '--where',
  'psp rules add --where': '--match',
  'psp faults add --where': '--match',
}

/** @param path whole name of the group: `psp rules` */
export function commandMeant(path: string, word: string): string | undefined {
  const name = `${path} ${word}`
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
}

/** @param path whole name of the command: `psp wait` */
export function flagMeant(path: string, flag: string): string | undefined {
  const name = `${path} ${flag}`
  return Object.hasOwn(FLAGS, name) ? FLAGS[name] : undefined
}
