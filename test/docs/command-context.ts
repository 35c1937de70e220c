// Opens a context for a documented command: a directory, a server, a receiver and a merchant's handler.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startServer } from '../../src/node/server.ts'
import { assembleSandbox } from '../../src/sandbox.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { psp } from '../cli/helpers.ts'
import { BIN, createWorkspace, startShopServer, startVerifyingReceiver, WEBHOOK_SECRET } from '../e2e/helpers.ts'
import { type CommandContext, PREPARATIONS } from './documented-lines.ts'

/** Opens a separate context for each line, so that lines cannot affect each other. */
export async function openContext() {
  const workspace = createWorkspace()
  const { cwd } = workspace
  const shop = await startShopServer(WEBHOOK_SECRET)
  const receiver = await startVerifyingReceiver()
  writePrograms(cwd)
  const settings = { 'delays.buyer': '0s', 'delays.session': '0s', 'delays.bank': '0s' }
  const sandbox = await assembleSandbox({ settings })
  const server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: createSystemClock() })
  const { url } = server
  sandbox.setBaseUrl(url)
  sandbox.defaultShop()
  const env = environmentOf(cwd, url)
  const context: CommandContext = {
    async json(...args) {
      const { code, stdout, stderr } = await psp([...args, '--json'], { cwd, env })
      expect(code, `${args.join(' ')}: ${stdout}${stderr}`).toBe(0)
      return stdout.startsWith('{') ? JSON.parse(stdout) : {}
    },
    write: (name, text) => writeFileSync(join(cwd, name), text),
    url,
    receiver: `http://localhost:${receiver.port}/hooks`,
  }
  return {
    cwd,
    env,
    ...context,
    /** Returns the line with the ids of this context, and the port of its receiver instead of 3000. */
    async prepare(line: string): Promise<string> {
      let prepared = line
      for (const [pattern, prepare] of PREPARATIONS)
        if (pattern.test(prepared)) prepared = await prepare(prepared, context)
      const { port } = line.startsWith('psp audit') ? shop : receiver
      return prepared
        .replace(/(?<=localhost:|:|\s)3000(?=[/\s]|$)/g, String(port))
        .replace('http://127.0.0.1:7770', url)
        .replace(/--port \d+/, '--port 0')
        .replace('/srv/', `${cwd}/`)
    },
    /** Creates payments, and so events and requests, until the promise settles. */
    async createPaymentsUntil(settled: PromiseLike<unknown>) {
      let isOver = false
      settled.then(() => {
        isOver = true
      })
      while (!isOver) await context.json('payments', 'create', '--amount', '100', '--order-id', '42')
    },
    async close() {
      shop.close()
      receiver.close()
      await server.close({ grace_ms: 0 })
      await sandbox.close()
      await workspace.remove()
    },
  }
}

/** Writes `psp`, a browser that opens nothing, and a project whose tests pass. */
function writePrograms(cwd: string): void {
  const bin = join(cwd, 'bin')
  mkdirSync(bin)
  for (const [name, line] of [
    ['psp', `exec "${BIN}" "$@"`],
    ['xdg-open', 'exit 0'],
  ]) {
    writeFileSync(join(bin, String(name)), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, String(name)), 0o755)
  }
  writeFileSync(join(cwd, 'package.json'), '{"scripts":{"test":"node -e 0"}}')
  writeFileSync(join(cwd, 'edited.json'), '{}')
  mkdirSync(join(cwd, '.zfunc'))
  mkdirSync(join(cwd, '.config/fish/completions'), { recursive: true })
}

const environmentOf = (cwd: string, url: string) => ({
  PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`,
  HOME: cwd,
  TMPDIR: tmpdir(),
  NO_COLOR: '1',
  // npm would ask the registry for a newer version of itself.
  npm_config_update_notifier: 'false',
  PSP_URL: url,
  PSP_PORT: '0',
})
