// A sandbox in this process with a server around it, for commands to talk to.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startServer } from '../../src/node/server.ts'
import { assembleSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox.ts'
import { createSystemClock, type SystemClock } from '../../src/system-clock/system-clock.ts'
import { psp, type Ran, type RigOptions, type Running, start, until } from './rig.ts'

export interface ServerRig {
  readonly sandbox: Sandbox
  readonly url: string
  /** Runs a command against it. */
  psp(line: string | readonly string[], options?: RigOptions): Promise<Ran>
  start(argv: readonly string[], options?: RigOptions): Running
  close(): Promise<void>
}

export async function serverRig(
  options: SandboxOptions = {},
  {
    host = '127.0.0.1',
    systemClock = createSystemClock(),
  }: { readonly host?: string; readonly systemClock?: SystemClock } = {},
): Promise<ServerRig> {
  const sandbox = await assembleSandbox({ clock: { mode: 'frozen' }, ...options, systemClock })
  const server = await startServer(sandbox, { port: 0, host, systemClock })
  sandbox.setBaseUrl(server.url)
  const withUrl = (given: RigOptions = {}) => ({ ...given, env: { PSP_URL: server.url, ...given.env } })
  return {
    sandbox,
    url: server.url,
    psp: (line, given) => psp(line, withUrl(given)),
    start: (argv, given) => start(argv, withUrl(given)),
    async close() {
      await server.close({ grace_ms: 0 })
      await sandbox.close({ grace_ms: 0 })
    },
  }
}

export interface Receiver {
  readonly port: number
  readonly bodies: readonly Buffer[]
  readonly headers: readonly NodeJS.Dict<string | string[]>[]
  answer: { status: number; body?: string | Buffer; headers?: Record<string, string>; silent?: boolean }
  close(): Promise<void>
}

export async function receiver(): Promise<Receiver> {
  const bodies: Buffer[] = []
  const headers: NodeJS.Dict<string | string[]>[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    bodies.push(Buffer.concat(chunks))
    headers.push(request.headers)
    if (rig.answer.silent !== true) response.writeHead(rig.answer.status, rig.answer.headers).end(rig.answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rig: Receiver = {
    port: (server.address() as AddressInfo).port,
    bodies,
    headers,
    answer: { status: 200 },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return rig
}

/** `psp listen` that is ready. */
export async function listener(rig: ServerRig, ...flags: readonly string[]) {
  const running = rig.start(['listen', ...flags])
  await until(() => running.errors().includes('Ready.') || running.output().includes('"ready"'))
  return running
}
