// Every command line that README and docs show, run by a shell as a reader would run it.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { createSandbox } from '../../src/sandbox.ts'
import { systemWall } from '../../src/time/wall.ts'
import { newFolder, startReceiver, WEBHOOK_SECRET } from './psp.ts'
import { startShop } from './shop-server.ts'
import { PREPARE, STAYS, shownLines, WAITS, type World } from './shown-commands.ts'

const BIN = new URL('../../bin/psp.js', import.meta.url).pathname
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const { psp, others } = shownLines()

let receiver: Awaited<ReturnType<typeof startReceiver>>
let shop: Awaited<ReturnType<typeof startShop>>
let folder: ReturnType<typeof newFolder>
let sandbox: Awaited<ReturnType<typeof createSandbox>>
let server: Awaited<ReturnType<typeof startServer>>

beforeAll(async () => {
  receiver = await startReceiver()
  shop = await startShop(WEBHOOK_SECRET)
})
afterAll(() => {
  receiver.close()
  shop.close()
})
beforeEach(async () => {
  folder = newFolder()
  programs()
  sandbox = await createSandbox({ settings: { 'delays.buyer': '0s', 'delays.session': '0s', 'delays.bank': '0s' } })
  server = await startServer(sandbox, { port: 0, host: '127.0.0.1', wall: systemWall() })
  sandbox.announce(server.url)
  sandbox.start()
})
afterEach(async () => {
  await server.close({ grace_ms: 0 })
  await sandbox.close()
  await folder.remove()
})

/** `psp` on the PATH, a browser that opens nothing, and a project whose tests pass. */
function programs() {
  const bin = join(folder.cwd, 'bin')
  mkdirSync(bin)
  for (const [name, line] of [
    ['psp', `exec "${process.execPath}" "${BIN}" "$@"`],
    ['xdg-open', 'exit 0'],
  ]) {
    writeFileSync(join(bin, String(name)), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, String(name)), 0o755)
  }
  writeFileSync(join(folder.cwd, 'package.json'), '{"scripts":{"test":"node -e 0"}}')
  mkdirSync(join(folder.cwd, '.zfunc'))
  mkdirSync(join(folder.cwd, '.config/fish/completions'), { recursive: true })
}

function shell(line: string, how: { detached?: boolean } = {}) {
  const env = {
    PATH: `${join(folder.cwd, 'bin')}:${process.env['PATH']}`,
    HOME: folder.cwd,
    NO_COLOR: '1',
    PSP_URL: server.url,
    PSP_PORT: '0',
  }
  return execa('bash', ['-c', line], {
    cwd: folder.cwd,
    env,
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    all: true,
    timeout: 50_000,
    ...how,
  })
}

const world: World = {
  async json(...args) {
    const ran = await shell(`psp ${args.map((word) => `'${word}'`).join(' ')} --json`)
    expect(ran.exitCode, `${args.join(' ')}: ${ran.all}`).toBe(0)
    return ran.stdout.startsWith('{') ? JSON.parse(ran.stdout) : {}
  },
  write: (name, text) => writeFileSync(join(folder.cwd, name), text),
  get receiver() {
    return `http://localhost:${receiver.port}/hooks`
  },
}

/** As it is to be run here: with the ids of this world, and its receiver instead of port 3000. */
async function prepared(line: string): Promise<string> {
  let ready = line
  for (const [when, prepare] of PREPARE) if (when.test(ready)) ready = await prepare(ready, world)
  return ready
    .replace(/(?<=localhost:|:|\s)3000(?=[/\s]|$)/g, String((line.startsWith('psp audit') ? shop : receiver).port))
    .replace('http://127.0.0.1:7770', server.url)
}

describe('a line of the docs', () => {
  it.each(psp.map((one) => [one.line, one.file]))('%s (%s)', async (line) => {
    const ready = await prepared(line)
    if (STAYS.test(line)) return await stays(ready)
    const running = shell(ready)
    if (WAITS.test(line)) await meanwhile(running)
    const ran = await running
    expect(ran.exitCode, `${ready}\n${ran.all}`).toBe(0)
  })

  it.each(others.map((one) => [one.line, one.file]))('%s (%s) names what is there', (line) => {
    for (const [, name = ''] of line.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name)
    expect(line).toMatch(/^(npm (ci|i|run|test|pack|view)|npx (vitest|psp)|docker |curl |nginx |cd |export )/)
  })
})

/** Runs until its first output, then ends it as Ctrl-C does: the whole foreground of the terminal gets the signal. */
async function stays(line: string) {
  const running = shell(`trap : INT; ${line}; exit "\${PIPESTATUS[0]}"`, { detached: true })
  const spoke = new Promise((resolve) => running.all?.once('data', resolve))
  if (line.startsWith('psp logs')) await meanwhile(spoke)
  await spoke
  process.kill(-Number(running.pid), 'SIGINT')
  const ran = await running
  expect(ran.exitCode, `${line}\n${ran.all}`).toBe(0)
}

/** Makes events, and requests for the log, until it was enough. */
async function meanwhile(running: PromiseLike<unknown>) {
  let ended = false
  running.then(() => {
    ended = true
  })
  while (!ended) await world.json('payments', 'create', '--amount', '100', '--order-id', '42')
}
