// Which modules share a file. The bundler makes a chunk for each set of entries that reach the same modules: with a hundred
// lazy commands that would be a hundred small files, each with its price at a start. So each entry that has most of a group
// anyway, or is loaded only where the group already is, is made to import all of it: then the group is one file or a few.

/** Entries that promise to load little. */
const SMALL = ['src/cli/main.ts', 'src/msw/index.ts', 'src/webhooks/index.ts']

const CLI = /^src\/(cli|tui)\//

/**
 * A module belongs to the first group whose roots reach it, and `beside` too where there is one. A group of commands goes to no
 * other entry; `whole`: to each that has a part of it, as they will load it sooner or later.
 */
const GROUPS = [
  { name: 'ground', roots: ['src/cli/program.ts', 'src/cli/host.ts'], beside: 'src/testing/index.ts', whole: true },
  { name: 'program', roots: ['src/cli/program.ts', 'src/cli/host.ts'], commands: true },
  {
    name: 'client',
    roots: ['src/cli/target/target.ts', 'src/cli/commands/payments/create.ts'],
    beside: 'src/testing/index.ts',
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
  { name: 'serve', roots: ['src/cli/commands/serve/serve.ts'], commands: true },
]

/** Of a group's bytes: another entry with more of it gets the rest. */
const MOST = 0.5

/**
 * @param inputs of a metafile
 * @param {readonly string[]} entries those that are named to the bundler
 * @returns {Map<string, string[]>} modules that each entry is to import besides its own
 */
export function groupImports(inputs, entries) {
  const starts = new Set(entries)
  for (const { imports } of Object.values(inputs)) {
    for (const each of imports) if (isLazy(each)) starts.add(each.path)
  }
  const reached = new Map([...starts].map((entry) => [entry, closure(inputs, [entry])]))
  const groups = membersOf(inputs)
  const loaded = loadedBy(inputs, entries, reached, groups)
  // What imports the entry itself would make a cycle.
  const apart = (entry) => (path) => /^src\/.*\.tsx?$/.test(path) && !closure(inputs, [path]).has(entry)
  return new Map(
    [...loaded].map(([entry, names]) => [entry, [...names].flatMap((name) => groups.get(name)).filter(apart(entry))]),
  )
}

function membersOf(inputs) {
  const taken = new Set()
  return new Map(
    GROUPS.map(({ name, roots, beside = roots[0] }) => {
      const [here, there] = [closure(inputs, roots), closure(inputs, [beside])]
      const members = [...here].filter((path) => !taken.has(path) && (roots.includes(beside) || there.has(path)))
      for (const path of members) taken.add(path)
      return [name, members]
    }),
  )
}

/**
 * Groups that are there once an entry is: its own, and those of whatever loads it. What an entry imports comes along wherever
 * it is imported itself, so it may have no more than the entries that reach it. Begins with all and takes away.
 */
function loadedBy(inputs, entries, reached, groups) {
  const importers = new Map([...reached.keys()].map((entry) => [entry, []]))
  for (const [path, { imports }] of Object.entries(inputs)) {
    for (const each of imports) if (isLazy(each)) importers.get(each.path).push(path)
  }
  const own = new Map([...reached].map(([entry, modules]) => [entry, groupsOf(inputs, modules, groups)]))
  const loaded = new Map([...reached.keys()].map((entry) => [entry, new Set(groups.keys())]))
  const having = (paths, entry) =>
    [...reached].filter(([at, seen]) => at !== entry && paths.some((path) => seen.has(path)))
  for (let changed = true; changed; ) {
    changed = false
    for (const [entry, before] of loaded) {
      const inAll = (name, hosts) => hosts.every(([host]) => loaded.get(host).has(name))
      const loaders = having(importers.get(entry), entry)
      const now = allowed(entry, groups)
        .filter((name) => own.get(entry).has(name) || (!entries.includes(entry) && inAll(name, loaders)))
        .filter((name) => inAll(name, having([entry], entry)))
      if (now.length !== before.size) changed = true
      loaded.set(entry, new Set(now))
    }
  }
  return loaded
}

/** The groups that it may have. What a member of one imports comes along wherever that group goes, so it gets none of the later ones. */
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
    const here = members.filter((path) => modules.has(path))
    return whole ? here.length > 0 : size(here) > MOST * size(members)
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
