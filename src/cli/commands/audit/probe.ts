// `--probe URL` and `--probe-cmd CMD`: where the merchant's own value comes from.
import { type Probe, ProbeError } from '../../../audit/ports.ts'
import { asksForOne, createProbe, filledUrl } from '../../../audit/probe.ts'
import type { FetchLike } from '../../../client/fetch-like.ts'
import { describeFailure, describeTimeout } from '../../../domain/exchange-failures.ts'
import { usage } from '../../failure.ts'
import type { FlagValues } from '../../flags.ts'
import { forwardUrl } from '../../forward-url.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_FLAGS } from './flags.ts'

type Flags = Pick<FlagValues<typeof AUDIT_FLAGS>, 'probe' | 'probe_cmd' | 'probe_rest'>

const REST = 100
const TIMEOUT = 15_000

export function probeOf(flags: Flags, fetch: FetchLike, session: Session): Probe | undefined {
  const { probe, probe_cmd } = flags
  const { wall } = session.host
  const rest = flags.probe_rest ?? REST
  if (probe !== undefined && probe_cmd !== undefined) throw usage('There are two probes.', 'Leave one of them out.')
  if (probe !== undefined) {
    const url = unescaped(forwardUrl(probe))
    return createProbe({
      read: (about) => ask(filledUrl(url, about), asksForOne(probe), fetch, session),
      own: asksForOne(probe),
      rest,
      wall,
    })
  }
  if (probe_cmd === undefined) return undefined
  return createProbe({ read: (about) => runCommand(probe_cmd, about, session), own: asksForOne(probe_cmd), rest, wall })
}

/** URL writes braces as escapes. */
function unescaped(url: string): string {
  return url.replace(/%7B(order|payment)_id%7D/gi, '{$1_id}')
}

async function ask(url: string, own: boolean, fetch: FetchLike, { host }: Session): Promise<string> {
  const controller = new AbortController()
  const deadline = host.wall.setTimeout(() => controller.abort(), TIMEOUT)
  try {
    const reply = await fetch(url, { method: 'GET', headers: { Accept: '*/*' }, signal: controller.signal })
    const text = await reply.text()
    if (reply.status >= 200 && reply.status < 300) return text
    // An order nobody has heard of yet.
    if (own && reply.status === 404) return ''
    throw new ProbeError(`The probe ${url} answered ${reply.status}.`, 'It must answer 2xx with a value.')
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

async function runCommand(
  command: string,
  { order_id, payment_id }: { order_id: string; payment_id: string },
  { host }: Session,
): Promise<string> {
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
  if (result.exitCode === 0) return result.stdout
  const said = result.stderr.trim().split('\n').at(-1) ?? ''
  throw new ProbeError(
    `The probe command ended with ${result.exitCode ?? result.signal ?? 'no exit code'}${said === '' ? '' : `: ${said}`}.`,
    'Run it by hand: it must print a value and end with 0.',
  )
}
