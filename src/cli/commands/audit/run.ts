import { connect } from 'node:net'
import type { Check, MessageValues } from '../../../audit/check.ts'
import { CHECK_IDS, CHECKS } from '../../../audit/checks.ts'
import { createOrderSupply, type OrderSupply } from '../../../audit/orders.ts'
import { ProbeError, TargetUnreachableError } from '../../../audit/ports.ts'
import { RETURN_PAGE, returnCheck } from '../../../audit/return-check.ts'
import { type AuditReport, type CheckReport, runAudit } from '../../../audit/run.ts'
import { createSend } from '../../../audit/send.ts'
import { type SentRequest, sentRequest } from '../../../audit/sent-request.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { bareHost, familyOptions } from '../../../domain/loopback.ts'
import { pause, unlessAborted } from '../../../domain/promises.ts'
import { describeFailure } from '../../../domain/receiver-failures.ts'
import { formatDuration } from '../../../domain/time.ts'
import { systemRandomness } from '../../../random.ts'
import type { Run } from '../../command.ts'
import { CliError, EXIT_CODES, usageError } from '../../failure.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import { oneOf } from '../../parsing/parse.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import { requireSendable } from '../../parsing/parse-header.ts'
import { InterruptedError } from '../../process/signals.ts'
import type { Session } from '../../session.ts'
import type { AUDIT_ARGUMENTS, AUDIT_FLAGS } from '../audit.ts'
import { pageAddress, probesOf } from './probe.ts'
import { abortedReport, printCheck, printReport, requireReportFiles, writeReports } from './report.ts'
import { auditSecrets } from './secrets.ts'

type Flags = FlagValues<typeof AUDIT_FLAGS>

/** The service's deadline for a response, in ms (spec 6.1). */
export const RESPONSE_TIMEOUT = 15_000
/** ms between the pieces of a slow body. */
export const BODY_PAUSE = 100
const DEFAULT_AMOUNT = 150_000

export const runChecks: Run<typeof AUDIT_ARGUMENTS, typeof AUDIT_FLAGS> = async (call) => {
  const run = auditAndReport(call)
  // After a signal, the reports of the finished checks are still written.
  call.session.keepOpenFor(run)
  return await run
}

const auditAndReport: Run<typeof AUDIT_ARGUMENTS, typeof AUDIT_FLAGS> = async ({ args, flags, session }) => {
  requireSendable(flags.header)
  const { out } = session
  const url = forwardUrl(args.url)
  const checks = chooseChecks(flags, url)
  requireReportFiles(flags, session)
  const done: CheckReport[] = []
  const requests = new Map<string, SentRequest[]>()
  const requestsOf = (id: string) => requests.get(id) ?? []
  try {
    const audit = auditHandler(url, checks, flags, session, done, requests)
    const report = await unlessAborted(audit, session.signals.ended)
    await writeReports(report, flags, session, requestsOf)
    if (out.json) out.document(report)
    else printReport(out, report, flags.strict)
    const exit = exitOf(report, flags)
    if (exit === EXIT_CODES.done) suggestExploring(flags, session)
    return exit
  } catch (error) {
    const failure = error instanceof InterruptedError ? error : toCliError(error, url)
    if (failure === undefined) throw error
    const written = writeReports(abortedReport(url, done, failure), flags, session, requestsOf)
    // After a signal, the error of the write is printed here, because the command already ended with the signal.
    await (failure instanceof InterruptedError ? written.catch(({ message }: Error) => out.warn(message)) : written)
    throw failure
  }
}

/** Suggests an exploration in a terminal, if the command has a probe and no flag of the checks. */
function suggestExploring({ only, probe, probe_cmd, strict, return_url }: Flags, { out }: Session): void {
  if (out.json || out.columns === undefined || probe.length + probe_cmd.length === 0) return
  if (only.length > 0 || strict || return_url !== undefined) return
  out.note(out.notePaint.dim('Add --explore 60s to look for a sequence of events that breaks the handler.'))
}

async function auditHandler(
  url: string,
  checks: readonly Check[],
  flags: Flags,
  session: Session,
  done: CheckReport[],
  requests: Map<string, SentRequest[]>,
): Promise<AuditReport> {
  const { out, host, signals } = session
  const { systemClock } = host
  // A handler may close an idle connection at any time, so each request uses a new one.
  const { fetch, close } = createNodeFetch({ keepAlive: false })
  const timeout = flags.timeout ?? RESPONSE_TIMEOUT
  try {
    const probes = probesOf(flags, url, fetch, session)
    if (flags.wait !== undefined) await waitForHandler(url, flags.wait, session)
    const { secret, known, endpointSecrets, description } = await auditSecrets(flags.secret, url, session)
    if (!out.json) out.note(out.notePaint.dim(`Auditing ${url} with ${description}.`))
    const createValues = valuesFactory(secret, flags, session)
    const orders = createOrderSupply(flags.order_id, checks, createValues())
    const shortage = orderShortage(orders)
    if (shortage !== undefined) out.warn(shortage)
    return await runAudit({
      target: url,
      checks,
      values: (check) => {
        const { next, reused } = orders.ordersFor(check)
        return { ...createValues(), order: next, reused }
      },
      orders,
      timeout,
      send: createSend({ url, fetch, timeout, pause: BODY_PAUSE, headers: flags.header, systemClock }),
      probes,
      known,
      endpointSecrets,
      onCheck(check) {
        if (signals.ended.aborted) return
        done.push(check)
        if (!out.json) printCheck(out, check)
      },
      onSent(id, message, response) {
        if (flags.html !== undefined)
          requests.set(id, [...(requests.get(id) ?? []), sentRequest(url, message, response)])
      },
    })
  } finally {
    close()
  }
}

/** Converts an expected error that stopped an audit to a CliError. Returns `undefined` for an unexpected error. */
export function toCliError(error: unknown, url: string): CliError | undefined {
  if (error instanceof TargetUnreachableError) {
    return new CliError('unreachable', `${url} cannot be audited: ${error.message}`, START_FIRST)
  }
  if (error instanceof ProbeError) return new CliError('failed', error.message, error.hint, 'probe_failed')
  const isExpected = error instanceof CliError && (error.exit === 'timed_out' || error.code === ORDER_FAILED)
  return isExpected ? error : undefined
}

export const ORDER_FAILED = 'order_failed'
const START_FIRST = 'Start the handler first; --wait waits until it accepts connections.'

function exitOf({ failed, warned, skipped = 0 }: AuditReport, { strict }: Flags): number {
  return failed + skipped > 0 || (strict && warned > 0) ? EXIT_CODES.not_verified : EXIT_CODES.done
}

function chooseChecks({ only, return_url }: Flags, handler: string): readonly Check[] {
  const all = return_url === undefined ? CHECKS : [...CHECKS, returnCheck(pageAddress(return_url, handler))]
  if (only.length === 0) return all
  const ids = only.flatMap((text) => text.split(',')).filter((text) => text.trim() !== '')
  if (ids.length === 0)
    throw usageError('--only: the name of a check is empty.', 'Write names with commas: valid,duplicates.')
  const wanted = new Set(ids.map((id) => oneOf(id, CHECK_IDS)))
  if (wanted.has(RETURN_PAGE) && return_url === undefined) {
    throw usageError(`${RETURN_PAGE} needs the URL of the page.`, 'Add --return-url http://localhost:3000/thanks.')
  }
  return all.filter(({ id }) => wanted.has(id))
}

/** Returns a function that creates the values of a sample payment, without its order. */
function valuesFactory(
  secret: string,
  { amount = DEFAULT_AMOUNT, metadata }: Flags,
  { host }: Session,
): () => Omit<MessageValues, 'order'> {
  const random = systemRandomness()
  return () => ({ secret, now: host.systemClock.now(), random, amount, metadata: Object.fromEntries(metadata) })
}

function orderShortage({ given, needed }: OrderSupply): string | undefined {
  if (given === undefined || given >= needed) return undefined
  return `--order-id: ${given} given, but these checks need ${needed}. The effect of a payment on an order that was used before cannot be judged.`
}

const WAIT_PAUSE = 100
const CONNECT_TIMEOUT = 2000

/**
 * `--wait`: waits until a handler that was just started in the background accepts connections.
 * @throws {CliError} `timed_out`
 */
export async function waitForHandler(url: string, limit: number, session: Session): Promise<void> {
  const { host, signals } = session
  const end = host.systemClock.monotonic() + limit
  for (;;) {
    const failure = await tryConnect(url, session)
    if (failure === undefined) return
    if (signals.ended.aborted) throw signals.ended.reason
    if (host.systemClock.monotonic() >= end) {
      const why = describeFailure(failure, url, 'connecting')
      throw new CliError(
        'timed_out',
        `${url} cannot be audited: within ${formatDuration(limit)} nothing accepted a connection. ${why}`,
        "Look at the handler's log, or give it longer: --wait 2m.",
      )
    }
    await pause(WAIT_PAUSE, host.systemClock)
  }
}

function tryConnect(url: string, { host }: Session): Promise<unknown> {
  const { hostname, port, protocol } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect({
      host: bareHost(hostname),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
      ...familyOptions(hostname),
    })
    const late = host.systemClock.setTimeout(
      () => socket.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
      CONNECT_TIMEOUT,
    )
    const finish = (failure?: unknown) => {
      late.cancel()
      socket.destroy()
      resolve(failure)
    }
    socket.once('connect', () => finish())
    socket.once('error', finish)
  })
}
