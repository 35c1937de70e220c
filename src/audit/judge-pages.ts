// Judges the return of a buyer by the pages that the buyer got and by the probes.

import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Check, MessageValues } from './check.ts'
import { type CheckFinding, judgeByProbes, ORDER_PROBE, type ProbeResult } from './judge-effects.ts'
import type { Page } from './page.ts'
import type { HandlerResponse } from './ports.ts'

/** Either the pages or the probes are enough to pass or to fail the check. */
export function judgeByPages(
  check: Check & Required<Pick<Check, 'judgePages'>>,
  visits: readonly HandlerResponse[],
  pages: readonly Page[],
  seen: readonly ProbeResult[],
  values: MessageValues,
): CheckFinding {
  const lost = visits.find(({ error }) => error !== undefined)
  if (lost !== undefined)
    return { result: 'fail', text: `the page could not be read: ${lost.error}`, fix: CHECK_ADDRESS }
  const judgement = check.judgePages(pages)
  const byProbes = seen.length === 0 ? undefined : judgeByProbes(check, seen, values)
  if (byProbes?.result === 'fail') return byProbes
  if (judgement.verdict === 'wrong') {
    return { result: 'fail', text: judgement.text, ...omitUndefined({ fix: judgement.fix }) }
  }
  if (byProbes?.result === 'pass') return byProbes
  if (judgement.verdict === 'right') return { result: 'pass', text: 'the page does not show the order as paid' }
  if (byProbes === undefined) return { result: 'warn', text: judgement.text, fix: ORDER_PROBE }
  return { ...byProbes, text: `${judgement.text}; ${byProbes.text}` }
}

export const CHECK_ADDRESS =
  'Check the address after --return-url. If the page needs a session, give its cookie: --header "Cookie: session=…".'
