import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { NoArguments, Run } from '../../command.ts'
import { EXIT_CODES, usageError } from '../../failure.ts'
import { wrapProse } from '../../output/lines.ts'
import type { Output } from '../../output/output.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { DOCTOR_FLAGS } from '../doctor.ts'
import { checkData, checkDisk, checkLock } from './data-checks.ts'
import type { Check, Finding } from './finding.ts'
import { checkConfig, checkLoopback, checkProxies, checkTerminal } from './machine-checks.ts'
import { checkReady } from './ready.ts'
import { checkClock, checkPort, checkServer, checkVersions, checkWebhooks } from './server-checks.ts'

/** Returns exit code 1 if a check fails. A warning is not a failure. */
export const run: Run<NoArguments, typeof DOCTOR_FLAGS> = async ({ flags, session }) => {
  requireReadyFlag(flags)
  if (flags.ready) return await checkReady(session, flags)
  const { out } = session
  const findings: Finding[] = []
  for (const [name, check] of CHECKS) {
    const finding = { name, ...(await check(session)) }
    findings.push(finding)
    if (!out.json) print(out, finding)
  }
  const isBroken = findings.some(({ result }) => result === 'fail')
  if (out.json) out.document({ ok: !isBroken, checks: findings })
  return isBroken ? EXIT_CODES.failed : EXIT_CODES.done
}

function print(out: Output, { name, result, found, fix }: Finding): void {
  const { good, warn, bad, dim } = out.paint
  const mark = { ok: good('ok  '), warn: warn('warn'), fail: bad('fail') }[result]
  const label = `${mark}  ${name.padEnd(10)}  `
  out.line(wrapProse(sanitizeLine(found), out.columns, label))
  if (fix === undefined) return
  out.line(wrapProse(sanitizeLine(fix), out.columns, ' '.repeat(18), dim))
}

/** Without `--ready`, `--wait` would have no effect, but the result would look like that of a readiness check. */
function requireReadyFlag({ ready, wait, timeout }: FlagValues<typeof DOCTOR_FLAGS>): void {
  if (wait && !ready) throw usageError('--wait needs --ready.', 'Write psp doctor --ready --wait.')
  if (timeout !== undefined && !wait) {
    throw usageError('--timeout needs --ready --wait.', 'Write psp doctor --ready --wait --timeout 1m.')
  }
}

const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ['versions', checkVersions],
  ['config', checkConfig],
  ['server', checkServer],
  ['lock', checkLock],
  ['port', checkPort],
  ['disk', checkDisk],
  ['data', checkData],
  ['proxies', checkProxies],
  ['loopback', checkLoopback],
  ['clock', checkClock],
  ['webhooks', checkWebhooks],
  ['terminal', checkTerminal],
]
