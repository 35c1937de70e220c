// Compiles the scripts of the executable by running them, and writes V8's code of the functions that ran. It runs in
// the Node of the executable: node code-cache.mjs FOLDER OUT. This process starts a second one, which runs the server.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'
import { createScripts } from './scripts.mjs'

const PROGRAM = new URL('psp:/dist/cli/program.cjs')
/** The HTTP client that sends webhooks. */
const UNDICI = new URL('psp:/dist/commonjs/undici.js')

// V8 would drop the code of functions that have not run for a while.
setFlagsFromString('--no-flush-bytecode')

const [folder, out, role] = process.argv.slice(2)
const read = ({ pathname }) => readFileSync(join(folder, 'assets', pathname), 'latin1')

if (role === 'serve') await runServer()
else await runCommands()

/** Serves requests until the parent closes the input. */
async function runServer() {
  const scripts = createScripts({ read, codeOf: () => undefined, require: createRequire(pathToFileURL(folder)) })
  const { nodeHost, runProgram } = scripts.load(PROGRAM)
  process.stdin.once('end', () => process.emit('SIGTERM')).resume()
  scripts.load(UNDICI)
  const host = nodeHost(process.ppid)
  process.exitCode = await runProgram(['serve', '--port', '0', '--ephemeral', '--json', '--clock', 'frozen'], host)
  writeCode(scripts, 'serve')
}

async function runCommands() {
  const server = spawn(process.execPath, [...process.execArgv, process.argv[1], folder, out, 'serve'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
  const { url } = JSON.parse((await lines.next()).value)
  await requestPages(url)
  const scripts = createScripts({ read, codeOf: () => undefined, require: createRequire(pathToFileURL(folder)) })
  const { nodeHost, runProgram } = scripts.load(PROGRAM)
  const host = Object.create(nodeHost(process.ppid), { stdout: { value: { write: () => true, on() {} } } })
  for (const line of ['payments create --amount 150000', 'payments list', '--help']) {
    const code = await runProgram([...line.split(' '), ...(line === '--help' ? [] : ['--url', url])], host)
    if (code !== 0) throw new Error(`psp ${line} exited with code ${code}.`)
  }
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.stdin.end()
  if ((await ended) !== 0) throw new Error('The server did not end normally.')
  writeCode(scripts, 'command')
}

/** Requests a payment and its page. The clock is frozen, because a timer would change the compiled code. */
async function requestPages(url) {
  const created = await (
    await fetch(`${url}/v1/public/payments`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sk_test_local0_psp0development0key0not0a0secret',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ amount: 150_000, order_id: 'A-1' }),
    })
  ).json()
  await fetch(created.payment_url)
}

function writeCode(scripts, use) {
  // V8 accepts code only if it was written with the flags of the process that reads it.
  setFlagsFromString('--flush-bytecode')
  setFlagsFromString('--hash-seed=0')
  setFlagsFromString('--random-seed=0')
  for (const { url, script } of scripts.list()) {
    const cachedData = script.createCachedData()
    const { cachedDataRejected } = new Script(Module.wrap(read(url)), { filename: url.href, cachedData })
    if (cachedDataRejected) throw new Error(`V8 rejects the code of ${url.href}.`)
    const file = join(out, 'code', use, url.pathname)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, cachedData)
  }
}
