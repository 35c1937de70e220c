// Runs `psp serve` from its bundled file, and caches the compiled code for the next start. Node 22.1 and newer have such a cache.
// For older versions the cache is in the directory of the code, so that both have the same write permissions.
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = process.getBuiltinModule('fs')
const { createRequire, enableCompileCache, wrap } = process.getBuiltinModule('module')
const { dirname } = process.getBuiltinModule('path')
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule('url')
const { Script } = process.getBuiltinModule('vm')
const { crc32 } = process.getBuiltinModule('zlib')

const FILE = fileURLToPath(new URL('../dist/cli/serve.cjs', import.meta.url))

const require = createRequire(FILE)
const { main: run, keepCompiled } = enableCompileCache === undefined ? fromCache() : require(FILE)

/** Runs the command line; then keeps what was compiled for the next time. */
export async function main(argv, startedBy) {
  await run(argv, startedBy)
  keepCompiled?.()
}

function fromCache() {
  const source = readFileSync(FILE)
  const name = `serve-${crc32(source)}-${process.version}-${process.arch}`
  const cache = fileURLToPath(new URL(`../dist/cache/${name}`, import.meta.url))
  const cachedData = kept(cache)
  const script = new Script(wrap(source.toString('latin1')), { filename: FILE, cachedData })
  const module = { exports: {}, import: (path) => import(new URL(path, pathToFileURL(FILE))) }
  script.runInThisContext().call(module.exports, module.exports, require, module, FILE, dirname(FILE))
  const isNew = cachedData === undefined || script.cachedDataRejected
  return { main: module.exports.main, keepCompiled: () => isNew && keep(cache, script.createCachedData()) }
}

/** V8 does not check what it is given: a file with another sum at its end than its own is none. */
function kept(path) {
  try {
    const bytes = readFileSync(path)
    const data = bytes.subarray(0, -4)
    return crc32(data) === bytes.readUInt32LE(data.length) ? data : undefined
  } catch {
    return undefined
  }
}

/** A folder that may not be written to goes without. */
function keep(path, data) {
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
