// `--replay`: sends the case of a finding again. The exit code is 8 if the case still fails.
import { asksForOne } from '../../../audit/probe.ts'
import { resultUnlessAborted } from '../../../domain/promises.ts'
import { abortablePorts } from '../../../explore/abortable-ports.ts'
import type { SavedCase } from '../../../explore/finding-file.ts'
import { replayFinding } from '../../../explore/replay-finding.ts'
import type { Run } from '../../command.ts'
import { EXIT_CODES, usageError } from '../../failure.ts'
import { invocationName } from '../../host-process.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import { requireSendable } from '../../parsing/parse-header.ts'
import { interruptedCode } from '../../process/signals.ts'
import type { AUDIT_ARGUMENTS, AUDIT_FLAGS } from '../audit.ts'
import { readCase } from './case-file.ts'
import { ordersExhaustedFailure } from './explore.ts'
import { findingLine, printFinding } from './explore-report.ts'
import { noteStop, openExploration } from './explore-setup.ts'
import { replayCommand } from './replay-command.ts'
import { toCliError } from './run.ts'

export const runReplay: Run<typeof AUDIT_ARGUMENTS, typeof AUDIT_FLAGS> = async ({ args, flags, session }) => {
  requireSendable(flags.header)
  const { out } = session
  const url = forwardUrl(args.url)
  const file = flags.replay ?? ''
  const replay = replayCommand(invocationName(session.host), args.url, flags, file)
  const savedCase = await readCase(file, 'finding', session)
  requireProbe(savedCase, [...flags.probe, ...flags.probe_cmd])
  try {
    const { ports, signal, close } = await openExploration(url, flags, session, `Replaying ${file} against`)
    signal.addEventListener('abort', () => noteStop(session), { once: true })
    try {
      const result = await resultUnlessAborted(
        replayFinding(savedCase, abortablePorts(ports, signal), flags.amount),
        signal,
      )
      if (result === undefined) return interruptedCode(session.signals)
      const { finding, messages, times } = result
      if (out.json) {
        if (finding !== undefined) out.document(findingLine(finding, { file, replay }))
        out.document({
          type: 'summary',
          findings: finding === undefined ? 0 : 1,
          stories: 1,
          deliveries: messages,
          times,
        })
      } else if (finding === undefined) {
        out.line(`${out.paint.good('passed')}  ${file}, ${times} of ${times}`)
      } else {
        printFinding(out, finding, { file, replay })
      }
      return finding === undefined ? EXIT_CODES.done : EXIT_CODES.not_verified
    } finally {
      close()
    }
  } catch (error) {
    throw toCliError(error, url) ?? ordersExhaustedFailure(error) ?? error
  }
}

/**
 * Requires a probe of the same kind (of an order, or of the whole shop) as the one that showed the violation. Without
 * one, the case would always pass.
 * @throws CliError exit 2
 */
function requireProbe({ id, probe }: SavedCase, given: readonly string[]): void {
  if (probe === undefined) {
    // A recorded story needs no probe, nor does a finding of `availability`, which the responses show. A file of an
    // older version does not name its probe.
    if (id === 'recorded' || id === 'availability' || given.length > 0) return
    throw usageError(
      'This case needs a probe.',
      "Add the probes of the search that found it, such as --probe 'orders/{order_id}'.",
    )
  }
  const { label, isPerOrder } = probe
  if (given.some((one) => asksForOne(one) === isPerOrder)) return
  const fitting = asksForOne(label) === isPerOrder ? label : 'orders/{order_id}'
  const flag = /\s/.test(fitting) ? '--probe-cmd' : '--probe'
  throw usageError(`This case needs ${flag} '${fitting}'.`, 'Without it, the bug would not be visible. Add it.')
}
