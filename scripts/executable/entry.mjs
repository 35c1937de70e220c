// The main script of the executable. Its other scripts, the terminal view and the files of the package are assets.
import { createRequire, registerHooks } from 'node:module'
import { getAssetKeys, getRawAsset } from 'node:sea'
import { constants, Script } from 'node:vm'
import { main } from '../../src/cli/main.ts'
import { createScripts } from './scripts.mjs'

const startedBy = process.ppid
const SCHEME = 'psp:'
const use = process.argv[2] === 'serve' ? 'serve' : 'command'

const bytesOf = (key) => Buffer.from(getRawAsset(key))

const scripts = createScripts({
  read: ({ pathname }) => bytesOf(pathname.slice(1)).toString('latin1'),
  codeOf({ pathname }) {
    const key = `code/${use}${pathname}`
    return getAssetKeys().includes(key) ? bytesOf(key) : undefined
  },
  // `require` loads modules of Node only. Without /proc, `process.execPath` may be a relative path.
  require: createRequire('/'),
  importModule,
})

main(process.argv.slice(2), startedBy, async () => scripts.load(new URL('psp:/dist/cli/program.cjs')))

/** Imports a module of Node, or the terminal view, which is an ES module because Ink needs a top-level `await`. */
function importModule({ href }) {
  if (href.startsWith(SCHEME)) registerScheme(href)
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  return new Script('(url) => import(url)', { importModuleDynamically }).runInThisContext()(href)
}

function registerScheme(href) {
  const shortCircuit = true
  registerHooks({
    resolve: (id, context, next) => (id === href ? { url: id, format: 'module', shortCircuit } : next(id, context)),
    load(url, context, next) {
      if (!url.startsWith(SCHEME)) return next(url, context)
      return { format: 'module', source: bytesOf(new URL(url).pathname.slice(1)).toString(), shortCircuit }
    },
  })
}
