// Decides which modules share a file. The bundler creates a chunk for each set of entries that reach the same modules.
// A hundred lazy commands would result in a hundred small files, and each slows down a start. Therefore an entry imports
// a whole group if it needs most of it, or if the group is always loaded before it. The group is then one or a few files.

/** Entries that must stay small. */
const SMALL = ['src/cli/main.ts', 'src/msw/index.ts', 'src/webhooks/index.ts']

const CLI = /^src\/(cli|tui)\//

/**
 * A module belongs to the first group whose roots reach it, and if the group has `alsoFrom`, that entry must reach it too.
 * Only commands import a group with `commands`. An entry with any part of a group with `whole` imports all of it.
 */
const GROUPS = [
  { name: 'ground', roots: ['src/cli/program.ts', 'src/cli/host.ts'], alsoFrom: 'src/testing/index.ts', whole: true },
  { name: 'program', roots: ['src/cli/program.ts', 'src/cli/host.ts'], commands: true },
  {
    name: 'client',
    roots: ['src/cli/target/target.ts', 'src/cli/commands/payments/create.ts'],
    alsoFrom: 'src/testing/index.ts',
    whole: true,
  },
  {
    name: 'target',
    roots: ['src/cli/target/target.ts', 'src/cli/commands/payments/create.ts'],
    commands: true,
    whole: true,
  },
  { name: 'tables', roots: ['src/settings.ts', 'src/engine/row-schemas.ts'] },
  { name: 'sandbox', roots: ['src/sandbox.ts', 'src/node/server.ts'] },
  { name: 'serve', roots: ['src/cli/commands/serve/run.ts'], commands: true },
]

/** The part of a group's bytes above which an entry imports the whole group. */
const MOST = 0.5

/**
 * @param inputs the inputs of a metafile
 * @param {readonly string[]} entries the entry points of the bundler
 * @returns {Map<string, string[]>} the additional modules that each entry imports
 */
export function groupImports(inputs, entries) {
  const starts = new Set(entries)
  for (const { imports } of Object.values(inputs)) {
    for (const each of imports) if (isLazy(each)) starts.add(each.path)
  }
  const reached = new Map([...starts].map((entry) => [entry, closure(inputs, [entry])]))
  const groups = membersOf(inputs)
  const loaded = loadedBy(inputs, entries, reached, groups)
  // A module that imports the entry would create a cycle.
  const canImport = (entry) => (path) => /^src\/.*\.tsx?$/.test(path) && !closure(inputs, [path]).has(entry)
  return new Map(
    [...loaded].map(([entry, names]) => [
      entry,
      [...names].flatMap((name) => groups.get(name)).filter(canImport(entry)),
    ]),
  )
}

function membersOf(inputs) {
  const assigned = new Set()
  return new Map(
    GROUPS.map(({ name, roots, alsoFrom = roots[0] }) => {
      const [fromRoots, fromOther] = [closure(inputs, roots), closure(inputs, [alsoFrom])]
      const members = [...fromRoots].filter(
        (path) => !assigned.has(path) && (roots.includes(alsoFrom) || fromOther.has(path)),
      )
      for (const path of members) assigned.add(path)
      return [name, members]
    }),
  )
}

/**
 * Finds the groups that are loaded with each entry: its groups, and those of the entries that load it. An entry that
 * imports another one loads all its imports, so an entry cannot have more groups than the entries that reach it.
 * The search starts with all groups and removes those that are not possible, until nothing changes.
 */
function loadedBy(inputs, entries, reached, groups) {
  const importers = new Map([...reached.keys()].map((entry) => [entry, []]))
  for (const [path, { imports }] of Object.entries(inputs)) {
    for (const each of imports) if (isLazy(each)) importers.get(each.path).push(path)
  }
  const needed = new Map([...reached].map(([entry, modules]) => [entry, groupsOf(inputs, modules, groups)]))
  const loaded = new Map([...reached.keys()].map((entry) => [entry, new Set(groups.keys())]))
  const entriesWith = (paths, entry) =>
    [...reached].filter(([at, seen]) => at !== entry && paths.some((path) => seen.has(path)))
  for (let changed = true; changed; ) {
    changed = false
    for (const [entry, before] of loaded) {
      const inAll = (name, hosts) => hosts.every(([host]) => loaded.get(host).has(name))
      const loaders = entriesWith(importers.get(entry), entry)
      const now = allowed(entry, groups)
        .filter((name) => needed.get(entry).has(name) || (!entries.includes(entry) && inAll(name, loaders)))
        .filter((name) => inAll(name, entriesWith([entry], entry)))
      if (now.length !== before.size) changed = true
      loaded.set(entry, new Set(now))
    }
  }
  return loaded
}

/** Returns the groups that an entry can import. A member of a group cannot import later groups, which all its importers would load. */
function allowed(entry, groups) {
  if (SMALL.includes(entry)) return []
  const at = GROUPS.findIndex(({ name }) => groups.get(name).includes(entry))
  const open = at === -1 ? GROUPS : GROUPS.slice(0, at + 1)
  return open.filter(({ commands }) => !commands || CLI.test(entry)).map(({ name }) => name)
}

function groupsOf(inputs, modules, groups) {
  const size = (paths) => paths.reduce((sum, path) => sum + inputs[path].bytes, 0)
  const names = GROUPS.filter(({ name, whole }) => {
    const members = groups.get(name)
    const present = members.filter((path) => modules.has(path))
    return whole ? present.length > 0 : size(present) > MOST * size(members)
  })
  return new Set(names.map(({ name }) => name))
}

function closure(inputs, roots) {
  const seen = new Set()
  const open = [...roots]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || inputs[path] === undefined) continue
    seen.add(path)
    for (const each of inputs[path].imports) if (!each.external && each.kind !== 'dynamic-import') open.push(each.path)
  }
  return seen
}

function isLazy({ kind, external }) {
  return kind === 'dynamic-import' && !external
}
