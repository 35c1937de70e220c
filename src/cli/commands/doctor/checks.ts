// What usually keeps a sandbox from working, each with how to fix it.
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { createClient } from '../../../client/client.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { isLoopback } from '../../../domain/loopback.ts'
import { parseInstant } from '../../../domain/time.ts'
import { lockOf } from '../../lock-of.ts'
import { addressOf, dataOf, type Neighbour, neighbourText, pspAt } from '../../neighbour.ts'
import type { Session } from '../../session.ts'
import { VERSION } from '../../version.ts'
import type { Finding } from './checks-contract.ts'
import { checkData } from './data.ts'
import { serverUrl } from './ready.ts'

export interface Check {
  readonly name: string
  readonly check: (session: Session) => Promise<Omit<Finding, 'name'>>
}

export const CHECKS: readonly Check[] = [
  { name: 'versions', check: async () => checkVersions() },
  { name: 'server', check: checkServer },
  { name: 'lock', check: async (session) => checkLock(session) },
  { name: 'port', check: checkPort },
  { name: 'data', check: checkData },
  { name: 'proxies', check: async (session) => checkProxies(session) },
  { name: 'loopback', check: checkLoopback },
  { name: 'clock', check: checkClock },
  { name: 'terminal', check: async (session) => checkTerminal(session) },
]

const ok = (found: string) => ({ result: 'ok', found }) as const
const warn = (found: string, fix: string) => ({ result: 'warn', found, fix }) as const
const fail = (found: string, fix: string) => ({ result: 'fail', found, fix }) as const

function checkVersions() {
  const { node } = process.versions
  return ok(`psp ${VERSION}, Node ${node}, ${process.platform} ${process.arch}`)
}

async function checkServer(session: Session) {
  const url = serverUrl(session)
  try {
    const { version } = await healthOf(session, url)
    return ok(`psp ${version} answers at ${url}`)
  } catch (error) {
    if (session.values.url === undefined) return ok('no server runs here')
    return fail(`${url} does not answer: ${(error as Error).message}`, 'Start it, or correct --url and PSP_URL.')
  }
}

function checkLock({ values, host }: Session) {
  const lock = lockOf(resolve(host.cwd, values.data))
  if (lock === undefined) return ok(`nobody holds ${values.data}`)
  return ok(`${values.data} is held by process ${lock.pid}${lock.url === undefined ? '' : ` at ${lock.url}`}`)
}

async function checkPort(session: Session) {
  const { port, host } = session.values
  const code = await tryListen(port, host)
  if (code === undefined) return ok(`${host}:${port} is free`)
  if (code !== 'EADDRINUSE') return fail(`${host}:${port} cannot be used (${code})`, 'Choose another --host or --port.')
  const found = await pspAt(session, addressOf(host, port))
  if (found !== undefined) return takenByPsp(session, found)
  return warn(`${host}:${port} is taken by another program`, 'Start with --port 0, or another port.')
}

/** A psp that commands here talk to is in its place; another one is worth a word. */
function takenByPsp(session: Session, found: Neighbour) {
  const { port, host } = session.values
  const process = found.pid === undefined ? '' : `, process ${found.pid}`
  const told = `${host}:${port} is taken by psp itself (${dataOf(found)}${process})`
  const used = new URL(serverUrl(session))
  const isUsed = used.port === String(port) && isLoopback(used.hostname)
  return isUsed && isMine(session, found) ? ok(told) : warn(told, neighbourText(found))
}

/** Named by its url, or by its folder. */
function isMine({ values, host }: Session, { data }: Neighbour): boolean {
  return values.url !== undefined || data === undefined || data === resolve(host.cwd, values.data)
}

/** `undefined` where it worked, else the error's code. */
function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => done(undefined)))
  })
}

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']

function checkProxies({ host }: Session) {
  const set = PROXIES.filter((name) => (host.env[name] ?? '') !== '')
  if (set.length === 0) return ok('none')
  const exempt = (host.env['NO_PROXY'] ?? host.env['no_proxy'] ?? '').split(',').map((entry) => entry.trim())
  if (exempt.some((entry) => ['*', 'localhost', '127.0.0.1'].includes(entry)))
    return ok(`${set.join(', ')}, not for loopback`)
  return warn(
    `${set.join(', ')} set: other programs may send calls to 127.0.0.1 through the proxy (psp does not)`,
    'Set NO_PROXY=localhost,127.0.0.1,::1.',
  )
}

async function checkLoopback() {
  const four = await tryListen(0, '127.0.0.1')
  const six = await tryListen(0, '::1')
  if (four !== undefined) return fail(`127.0.0.1 cannot be used (${four})`, 'Bring the loopback interface up.')
  if (six === undefined) return ok('127.0.0.1 and ::1')
  return warn(
    `127.0.0.1 only, no ::1 (${six})`,
    'Programs that resolve localhost to ::1 first need 127.0.0.1 in their url.',
  )
}

/** Seconds beyond which receivers refuse a signature. */
const TOLERANCE = 300

async function checkClock(session: Session) {
  const url = serverUrl(session)
  try {
    const { now, clock } = await healthOf(session, url)
    const skew = Math.abs((parseInstant(now) ?? Number.NaN) - session.host.wall.now()) / 1000
    const mode = typeof clock === 'string' ? clock : clock.mode
    if (skew < 2) return ok(`the sandbox's clock is ${mode} and shows this machine's time`)
    const far = skew > TOLERANCE ? ' (signatures keep the real time, so receivers accept them)' : ''
    return ok(`the sandbox's clock is ${mode}, ${Math.round(skew)} s away from this machine's${far}`)
  } catch {
    return ok('no server to compare with')
  }
}

function checkTerminal({ host, out }: Session) {
  const { TERM = 'unset', NO_COLOR, FORCE_COLOR } = host.env
  const notes = [
    host.stdout.isTTY === true ? `${host.stdout.columns} columns` : 'no terminal',
    `TERM ${TERM}`,
    ...(NO_COLOR ? ['NO_COLOR'] : []),
    ...(FORCE_COLOR ? [`FORCE_COLOR ${FORCE_COLOR}`] : []),
    out.paint.dim('x') === 'x' ? 'no colour' : 'colour',
  ]
  return ok(notes.join(', '))
}

async function healthOf({ values }: Session, url: string) {
  const { fetch, close } = createNodeFetch()
  try {
    return await createClient({ fetch, baseUrl: url, controlToken: values.control_token }).control.health()
  } finally {
    close()
  }
}
