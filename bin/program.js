// Loads the bundled commands, and caches the compiled code for the next start. Without the cache, V8 compiles for half of a start.
// Node's own compile cache needs Node 22.1. This cache is next to the code, so only users who may change the code can change it.
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('fs')
const { createRequire, wrap } = process.getBuiltinModule('module')
const { dirname } = process.getBuiltinModule('path')
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('url')
const { Script } = process.getBuiltinModule('vm')
const { crc32 } = process.getBuiltinModule('zlib')

const FILE = fileURLToPath(new URL('../dist/cli/program.cjs', import.meta.url))

const source = readFileSync(FILE)
// A cache contains only functions that have run. `serve` runs other functions than a short command, so it has its own cache.
const kind = process.argv[2] === 'serve' ? 'serve' : 'command'
const cache = fileURLToPath(
  new URL(`../dist/cache/${kind}-${crc32(source)}-${process.version}-${process.arch}`, import.meta.url),
)
const cachedData = readCache(cache)
const script = new Script(wrap(source.toString('latin1')), { filename: FILE, cachedData })
const module = { exports: {}, import: (path) => import(new URL(path, pathToFileURL(FILE))) }
script.runInThisContext().call(module.exports, module.exports, createRequire(FILE), module, FILE, dirname(FILE))

export const { nodeHost } = module.exports

/** Runs a command line, then writes the cache if there was no valid one. */
export async function runProgram(argv, host) {
  const code = await module.exports.runProgram(argv, host)
  if (cachedData === undefined || script.cachedDataRejected) writeCache(cache, script.createCachedData())
  return code
}

/** Returns `undefined` if the file is missing, or if its checksum is wrong. V8 itself does not check the content of a cache. */
function readCache(path) {
  try {
    const bytes = readFileSync(path)
    const data = bytes.subarray(0, -4)
    return crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined
  } catch {
    return undefined
  }
}

/** Writes no cache if the directory is not writable. */
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
