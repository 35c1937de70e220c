// Runs the CommonJS scripts of the executable, whose files are not on a disk.
import Module from 'node:module'
import { Script } from 'node:vm'

/**
 * Returns a loader of scripts. It gets the text of a script from `read`, and its compiled code from `codeOf`, which may
 * return `undefined`. `require` loads modules of Node, and `importModule` loads ES modules.
 */
export function createScripts({ read, codeOf, require: requireBuiltin, importModule }) {
  const loaded = new Map()

  function load(url) {
    const known = loaded.get(url.href)
    if (known !== undefined) return known.module.exports
    const script = new Script(Module.wrap(read(url)), { filename: url.href, cachedData: codeOf(url) })
    const module = { exports: {}, import: (path) => importModule(new URL(path, url)) }
    loaded.set(url.href, { url, script, module })
    const require = (id) => (id.startsWith('.') ? load(new URL(id, url)) : requireBuiltin(id))
    script.runInThisContext().call(module.exports, module.exports, require, module, url.href, url.href)
    return module.exports
  }

  return {
    load,
    /** Returns each loaded script with its URL. */
    list: () => [...loaded.values()],
  }
}
