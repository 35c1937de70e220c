// Loads the bundled commands, and caches the compiled code for the next start. Without it, V8 compiles for half of a start.
// The cache of Node needs 22.1. This one is in the directory of the code, so that both have the same write permissions.
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('fs')
const { createRequire, wrap } = process.getBuiltinModule('module')
const { dirname } = process.getBuiltinModule('path')
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('url')
const { Script } = process.getBuiltinModule('vm')
const { crc32 } = process.getBuiltinModule('zlib')

const FILE = fileURLToPath(new URL('../dist/cli/program.cjs', import.meta.url))

const source = readFileSync(FILE)
// A cache contains only functions that have run. A server and a short command run different ones.
const use = process.argv[2] === 'serve' ? 'serve' : 'command'
const cache = fileURLToPath(
  new URL(`../dist/cache/${use}-${crc32(source)}-${process.version}-${process.arch}`, import.meta.url),
)
const cachedData = readCache(cache)
const script = new Script(wrap(source.toString('latin1')), { filename: FILE, cachedData })
const module = { exports: {}, import: (path) => import(new URL(path, pathToFileURL(FILE))) }
script.runInThisContext().call(module.exports, module.exports, createRequire(FILE), module, FILE, dirname(FILE))

export const { nodeHost } = module.exports

/** Runs a command line. Then it writes the cache if there was none. */
export async function runProgram(argv, host) {
  const code = await module.exports.runProgram(argv, host)
  if (cachedData === undefined || script.cachedDataRejected) writeCache(cache, script.createCachedData())
  return code
}

/** Returns `undefined` if the file is missing or damaged, because V8 does not check its content. */
function readCache(path) {
  try {
    const bytes = readFileSync(path)
    const data = bytes.subarray(0, -4)
    return crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined
  } catch {
    return undefined
  }
}

/** Does nothing if the directory is not writable. */
function writeCache(path, data) {
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(data))
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, Buffer.concat([data, sum]))
    renameSync(draft, path)
  } catch {
    try {
      rmSync(draft, { force: true })
    } catch {}
  }
}
