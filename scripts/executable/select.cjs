#!/usr/bin/env node
// Runs the executable of this machine, which npm installed as an optional package. This script supports old Node too.
const { spawn } = require('node:child_process')

const SYSTEMS = { linux: 'linux', darwin: 'darwin', win32: 'windows' }
const name = `psp-sandbox-cli-${SYSTEMS[process.platform] || process.platform}-${process.arch}`

let file
try {
  file = require.resolve(`${name}/bin/psp${process.platform === 'win32' ? '.exe' : ''}`)
} catch {
  process.stderr.write(
    `psp has no executable for this machine: the package ${name} is not installed.\nInstall without --omit=optional, or use the package psp-sandbox, which runs in Node.\n`,
  )
  process.exit(1)
}

const child = spawn(file, process.argv.slice(2), { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.once('error', (error) => {
  process.stderr.write(`${file} cannot be started: ${error.message}\nInstall the package again.\n`)
  process.exitCode = 1
})
child.once('exit', (code, signal) => {
  // The shell must see the signal that ended psp.
  if (signal === null) process.exit(code)
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
