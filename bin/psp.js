#!/usr/bin/env node
// Read before the slow imports, so that psp notices if its parent ends during the imports.
const startedBy = process.ppid

// Old syntax on purpose: an old Node must be able to print the message.
const [major, minor] = process.versions.node.split('.').map(Number)

if (!((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22)) {
  process.stderr.write(
    `psp needs Node 20.19 or a later 20.x, or Node 22.12 or later; this is ${process.versions.node}. Update Node and run it again.\n`,
  )
  process.exitCode = 1
} else {
  const loadProgram = () => import('./program.js').catch(notBuilt)
  import('../dist/cli/main.js').then(({ main }) => main(process.argv.slice(2), startedBy, loadProgram), notBuilt)
}

function notBuilt(error) {
  if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ENOENT'].includes(error.code)) throw error
  process.stderr.write(`psp is not built: ${error.message}\nRun \`npm ci\` or \`npm run build\` in its folder.\n`)
  process.exitCode = 1
}
