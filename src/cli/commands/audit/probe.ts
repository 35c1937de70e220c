// `--probe URL` and `--probe-cmd CMD`: where the merchant's own value comes from.
import { type Probe, ProbeError, type Reading } from '../../../audit/ports.ts'
import { asksForOne, createProbe, filledUrl } from '../../../audit/probe.ts'
import type { FetchLike } from '../../../client/fetch-like.ts'
import { describeFailure, describeTimeout } from '../../../domain/exchange-failures.ts'
import type { FlagValues } from '../../flags.ts'
import { forwardUrl } from '../../forward-url.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from './flags.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'probe' | 'probe_cmd' | 'probe_rest'>

const REST = 100
const TIMEOUT = 15_000

/** @param handler the url under audit: a probe without a host is asked of its server */
export function probesOf(flags: Flags, handler: string, fetch: FetchLike, session: Session): Probe[] {
  const { wall } = session.host
  const rest = flags.probe_rest ?? REST
  const byUrl = flags.probe.map((label) => {
    const own = asksForOne(label)
    const url = unescaped(probeUrl(label, handler))
    return createProbe({ label, own, rest, wall, read: (about) => ask(filledUrl(url, about), own, fetch, session) })
  })
  const byCommand = flags.probe_cmd.map((label) =>
    createProbe({ label, own: asksForOne(label), rest, wall, read: (about) => runCommand(label, about, session) }),
  )
  return [...byUrl, ...byCommand]
}

/** `balance`, `orders/{order_id}` and `/balance` are paths of the handler's server; all else names its own host. */
function probeUrl(text: string, handler: string): string {
  const [first = ''] = text.trim().split(/[/?#]/)
  const path = /^[a-z_{][a-z0-9_{}-]*$/i.test(first) && first.toLowerCase() !== 'localhost'
  return path || /^\/(?!\/)/.test(text.trim())
    ? new URL(text.trim(), `${new URL(handler).origin}/`).href
    : forwardUrl(text)
}

/** URL writes braces as escapes. */
function unescaped(url: string): string {
  return url.replace(/%7B(order|payment)_id%7D/gi, '{$1_id}')
}

async function ask(url: string, own: boolean, fetch: FetchLike, { host }: Session): Promise<Reading> {
  const controller = new AbortController()
  const deadline = host.wall.setTimeout(() => controller.abort(), TIMEOUT)
  try {
    const reply = await fetch(url, { method: 'GET', headers: { Accept: '*/*' }, signal: controller.signal })
    const text = await reply.text()
    // An order nobody has heard of yet.
    if (own && reply.status === 404) return { text: '', said: `answered 404 at ${url}` }
    if (reply.status < 200 || reply.status >= 300)
      throw new ProbeError(`The probe ${url} answered ${reply.status}.`, 'It must answer 2xx with a value.')
    if (text.trim() === '') return { text, said: `answered ${reply.status} with an empty body at ${url}` }
    return isPage(text) ? { text, said: `answered ${reply.status} with a web page at ${url}` } : { text }
  } catch (error) {
    if (error instanceof ProbeError) throw error
    const why = controller.signal.aborted
      ? describeTimeout(url, TIMEOUT, 'waiting')
      : describeFailure(error, url, 'waiting')
    throw new ProbeError(`The probe failed. ${why}`, 'Check the url after --probe.')
  } finally {
    deadline.cancel()
  }
}

/** Sites answer any path with their page. */
function isPage(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)/i.test(text)
}

async function runCommand(
  command: string,
  { order_id, payment_id }: { order_id: string; payment_id: string },
  { host }: Session,
): Promise<Reading> {
  const { execa } = await import('execa')
  const env = { PSP_ORDER_ID: order_id, PSP_PAYMENT_ID: payment_id }
  const result = await execa(command, {
    shell: true,
    cwd: host.cwd,
    env,
    reject: false,
    stdin: 'ignore',
    timeout: TIMEOUT,
  })
  if (result.exitCode === 0) {
    const text = result.stdout
    return text.trim() === '' ? { text, said: 'printed nothing' } : { text }
  }
  const said = result.stderr.trim().split('\n').at(-1) ?? ''
  throw new ProbeError(
    `The probe command ended with ${result.exitCode ?? result.signal ?? 'no exit code'}${said === '' ? '' : `: ${said}`}.`,
    'Run it by hand: it must print a value and end with 0.',
  )
}
