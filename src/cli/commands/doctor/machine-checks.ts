// Checks of this machine: the configuration, proxies, the loopback interface and the terminal.

import { createServer } from 'node:net'
import { CONFIG_FILE } from '../../config/config-file.ts'
import { explain } from '../../failure.ts'
import { hasUnicode } from '../../output/colour.ts'
import type { Session } from '../../session.ts'
import { type Found, fail, ok, warn } from './finding.ts'

export async function checkConfig({ config }: Session): Promise<Found> {
  const { issue } = config.sources.file
  if (issue !== undefined) return fail(issue.message, `${issue.hint} Until then the other checks use the defaults.`)
  const { resolveSettings } = await import('../../config/settings-config.ts')
  try {
    resolveSettings(config.sources)
  } catch (error) {
    const { message, hint } = explain(error)
    return fail(message, hint)
  }
  const { values, settings } = config.sources.file
  const names = [...values.keys(), ...Object.keys(settings)]
  return ok(
    names.length === 0 ? `${CONFIG_FILE} does not exist or is empty` : `${CONFIG_FILE} sets ${names.join(', ')}`,
  )
}

const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']

export function checkProxies({ host }: Session): Found {
  const set = PROXIES.filter((name) => (host.env[name] ?? '') !== '')
  if (set.length === 0) return ok('none')
  const exempt = (host.env['NO_PROXY'] ?? host.env['no_proxy'] ?? '').split(',').map((entry) => entry.trim())
  if (exempt.some((entry) => ['*', 'localhost', '127.0.0.1'].includes(entry)))
    return ok(`${set.join(', ')}, not for loopback`)
  return warn(
    `${set.join(', ')} set: other programs may send requests for 127.0.0.1 through the proxy (psp does not)`,
    'Set NO_PROXY=localhost,127.0.0.1,::1.',
  )
}

/** @param listen returns the error code if no server can listen at the address */
export async function checkLoopback(_: unknown, listen = tryListen): Promise<Found> {
  const ipv4Error = await listen(0, '127.0.0.1')
  const ipv6Error = await listen(0, '::1')
  if (ipv4Error !== undefined)
    return fail(`127.0.0.1 cannot be used (${ipv4Error})`, 'Bring the loopback interface up.')
  if (ipv6Error === undefined) return ok('127.0.0.1 and ::1')
  return warn(
    `127.0.0.1 only, no ::1 (${ipv6Error})`,
    'If a program resolves localhost to ::1 first, use 127.0.0.1 in its URL.',
  )
}

/** The width for which help, tables and `psp ui` are designed. */
const MIN_COLUMNS = 80

export function checkTerminal({ host, out }: Session): Found {
  const { TERM = 'unset', NO_COLOR, FORCE_COLOR } = host.env
  const { isTTY, columns = 0 } = host.stdout
  const unicode = hasUnicode(host.env)
  const notes = [
    isTTY !== true ? 'no terminal' : columns > 0 ? `${columns} columns` : 'unknown width',
    `TERM ${TERM}`,
    ...(NO_COLOR ? ['NO_COLOR'] : []),
    ...(FORCE_COLOR ? [`FORCE_COLOR ${FORCE_COLOR}`] : []),
    out.paint.dim('x') === 'x' ? 'no colour' : 'colour',
    unicode ? 'Unicode' : 'no Unicode',
  ]
  const found = notes.join(', ')
  if (isTTY === true && columns > 0 && columns < MIN_COLUMNS) {
    return warn(
      found,
      `Widen it to ${MIN_COLUMNS} columns. Tables on a narrower terminal omit columns; --json shows all of them.`,
    )
  }
  if (isTTY === true && !unicode) {
    const fix =
      TERM === 'linux' ? 'Use another terminal than the Linux console' : 'Set a UTF-8 locale, such as LANG=C.UTF-8'
    return warn(found, `${fix}. Cyrillic names and the frames of psp ui need it.`)
  }
  return ok(found)
}

/** Returns the error code if the address cannot be used. */
export function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => done(undefined)))
  })
}
