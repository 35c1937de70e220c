// `--replay`: sends the case of a finding again. Exit code 8 if it still fails.
import { abortablePorts } from '../../../explore/abortable-ports.ts'
import { replayFinding } from '../../../explore/replay-finding.ts'
import { unlessAborted } from '../../../explore/unless-aborted.ts'
import type { Run } from '../../command.ts'
import { EXIT_CODES } from '../../failure.ts'
import { forwardUrl } from '../../parsing/parse-address.ts'
import { requireSendable } from '../../parsing/parse-header.ts'
import type { AUDIT_ARGUMENTS, AUDIT_FLAGS } from '../audit.ts'
import { readCase } from './case-file.ts'
import { withoutOrders } from './explore.ts'
import { findingLine, printFinding } from './explore-report.ts'
import { noteStop, openExploration } from './explore-setup.ts'
import { explained } from './run.ts'

export const runReplay: Run<typeof AUDIT_ARGUMENTS, typeof AUDIT_FLAGS> = async ({ args, flags, session }) => {
  requireSendable(flags.header)
  const { out } = session
  const url = forwardUrl(args.url)
  const file = flags.replay ?? ''
  const given = readCase(file, 'finding', session)
  try {
    const { ports, signal, close } = await openExploration(url, flags, session, `Replaying ${file} against`)
    signal.addEventListener('abort', () => noteStop(session), { once: true })
    try {
      const replay = await unlessAborted(replayFinding(given, abortablePorts(ports, signal), flags.amount), signal)
      if (replay === undefined) return EXIT_CODES.interrupted
      const { finding, deliveries, times } = replay
      if (out.json) {
        if (finding !== undefined) out.document(findingLine(finding, file))
        out.document({ type: 'summary', findings: finding === undefined ? 0 : 1, stories: 1, deliveries, times })
      } else if (finding === undefined) {
        out.line(`${out.paint.good('passed')}  ${file}, ${times} of ${times}`)
      } else {
        printFinding(out, finding, file)
      }
      return finding === undefined ? EXIT_CODES.done : EXIT_CODES.not_verified
    } finally {
      close()
    }
  } catch (error) {
    throw explained(error, url) ?? withoutOrders(error) ?? error
  }
}
