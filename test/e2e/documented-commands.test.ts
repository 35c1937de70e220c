// Every command line that README and docs show, run by a shell as a reader would run it.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { psp as program } from '../cli/helpers.ts'
import {
  type CommandContext,
  type DocumentedLine,
  documentedLines,
  PREPARATIONS,
  RUNS_UNTIL_STOPPED,
  WAITS_FOR_EVENT,
} from './documented-commands.ts'
import { createWorkspace, startShopServer, startVerifyingReceiver, WEBHOOK_SECRET } from './helpers.ts'

const BIN = new URL('../../bin/psp.js', import.meta.url).pathname
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const { psp, others } = documentedLines()
const JQ = /\| jq /
const HAS_JQ = execaSync('jq', ['--version'], { reject: false }).exitCode === 0

let receiver: Awaited<ReturnType<typeof startVerifyingReceiver>>

beforeAll(async () => {
  receiver = await startVerifyingReceiver()
})
afterAll(() => {
  receiver.close()
})

/** A folder, a server and a merchant's shop for one line: several lines run at once. */
async function openWorld() {
  const folder = createWorkspace()
  const shop = await startShopServer(WEBHOOK_SECRET)
  programs(folder.cwd)
  const settings = { 'delays.buyer': '0s', 'delays.session': '0s', 'delays.bank': '0s' }
  const sandbox = await assembleSandbox({ settings })
  const server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
  sandbox.setBaseUrl(server.url)
  sandbox.startShop()
  const shell = (line: string, how: { detached?: boolean } = {}) => runShell(line, folder.cwd, server.url, how)
  const world: CommandContext = {
    // In this process: what prepares a line is not under test, and a start takes longer than all it does.
    async json(...args) {
      const ran = await program([...args, '--json'], { cwd: folder.cwd, env: environment(folder.cwd, server.url) })
      expect(ran.code, `${args.join(' ')}: ${ran.stdout}${ran.stderr}`).toBe(0)
      return ran.stdout.startsWith('{') ? JSON.parse(ran.stdout) : {}
    },
    write: (name, text) => writeFileSync(join(folder.cwd, name), text),
    url: server.url,
    get receiver() {
      return `http://localhost:${receiver.port}/hooks`
    },
  }
  return {
    world,
    shell,
    url: server.url,
    cwd: folder.cwd,
    shop,
    async close() {
      shop.close()
      await server.close({ grace_ms: 0 })
      await sandbox.close()
      await folder.remove()
    },
  }
}

type Opened = Awaited<ReturnType<typeof openWorld>>

/** `psp` on the PATH, a browser that opens nothing, and a project whose tests pass. */
function programs(cwd: string) {
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  for (const [name, line] of [
    ['psp', `exec "${process.execPath}" "${BIN}" "$@"`],
    ['xdg-open', 'exit 0'],
  ]) {
    writeFileSync(join(bin, String(name)), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, String(name)), 0o755)
  }
  writeFileSync(join(cwd, 'package.json'), '{"scripts":{"test":"node -e 0"}}')
  mkdirSync(join(cwd, '.zfunc'))
  mkdirSync(join(cwd, '.config/fish/completions'), { recursive: true })
}

const environment = (cwd: string, url: string) => ({
  PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`,
  HOME: cwd,
  TMPDIR: tmpdir(),
  NO_COLOR: '1',
  PSP_URL: url,
  PSP_PORT: '0',
})

function runShell(line: string, cwd: string, url: string, how: { detached?: boolean }) {
  return execa('bash', ['-c', line], {
    cwd,
    env: environment(cwd, url),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: 150_000,
    ...how,
  })
}

/** As it is to be run here: with the ids of this world, and its receiver instead of port 3000. */
async function prepared(line: string, { world, url, cwd, shop }: Opened): Promise<string> {
  let ready = line
  for (const [when, prepare] of PREPARATIONS) if (when.test(ready)) ready = await prepare(ready, world)
  return ready
    .replace(/(?<=localhost:|:|\s)3000(?=[/\s]|$)/g, String((line.startsWith('psp audit') ? shop : receiver).port))
    .replace('http://127.0.0.1:7770', url)
    .replace(/--port \d+/, '--port 0')
    .replace('/srv/', `${cwd}/`)
}

describe('a line of the docs', () => {
  it.concurrent.each(psp.filter((one) => !JQ.test(one.line)).map(titled))('%s (%s)', runs)

  it.each(others.map(titled))('%s (%s) names what is there', (line) => {
    for (const [, name = ''] of line.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name)
    expect(line).toMatch(
      /^(npm (ci|i|run|test|pack|view)|npx (vitest|psp|openapi-typescript|@hey-api\/openapi-ts)|docker |curl |nginx |cd |mkdir |export |node server\.js|pip install |openapi-python-client |go install |oapi-codegen |java -jar )/,
    )
  })
})

describe.skipIf(!HAS_JQ)('a line of the docs that needs jq', () => {
  it.concurrent.each(psp.filter((one) => JQ.test(one.line)).map(titled))('%s (%s)', runs)
})

function titled({ line, file }: DocumentedLine): [string, string] {
  return [line, file]
}

async function runs(line: string): Promise<void> {
  const opened = await openWorld()
  try {
    const ready = await prepared(line, opened)
    if (RUNS_UNTIL_STOPPED.test(line)) return await stays(ready, opened)
    const running = opened.shell(ready)
    if (WAITS_FOR_EVENT.test(line)) await meanwhile(running, opened)
    const ran = await running
    expect(ran.exitCode, `${ready}\n${ran.all}`).toBe(0)
  } finally {
    await opened.close()
  }
}

/** Runs until its first output, then ends it as Ctrl-C does: the whole foreground of the terminal gets the signal. */
async function stays(line: string, opened: Opened) {
  const running = opened.shell(`trap : INT; ${line}; exit "\${PIPESTATUS[0]}"`, { detached: true })
  const spoke = new Promise((resolve) => running.all?.once('data', resolve))
  if (line.startsWith('psp logs')) await meanwhile(spoke, opened)
  await spoke
  process.kill(-Number(running.pid), 'SIGINT')
  const ran = await running
  expect(ran.exitCode, `${line}\n${ran.all}`).toBe(line.startsWith('psp logs') ? 130 : 0)
}

/** Makes events, and requests for the log, until it was enough. */
async function meanwhile(running: PromiseLike<unknown>, { world }: Opened) {
  let ended = false
  running.then(() => {
    ended = true
  })
  while (!ended) await world.json('payments', 'create', '--amount', '100', '--order-id', '42')
}
