// What the pages that buyers got, and the probes around them, say about the return of a buyer.

import type { Check, Ground } from './check.ts'
import { type Finding, judgeByProbes, ORDER_PROBE, type Seen } from './judge-effects.ts'
import type { Page } from './page.ts'
import type { Answer } from './ports.ts'

/** Judges by the probes and by the pages: either may find the fault, and one that finds the opposite is enough. */
export function judgeByPages(
  check: Check & Required<Pick<Check, 'judgePages'>>,
  visits: readonly Answer[],
  pages: readonly Page[],
  seen: readonly Seen[],
  ground: Ground,
): Finding {
  const lost = visits.find(({ error }) => error !== undefined)
  if (lost !== undefined)
    return { result: 'fail', text: `the page could not be read: ${lost.error}`, fix: CHECK_ADDRESS }
  const judgement = check.judgePages(pages)
  const byProbes = seen.length === 0 ? undefined : judgeByProbes(check, seen, ground)
  if (byProbes?.result === 'fail') return byProbes
  if (judgement.verdict === 'wrong') {
    return { result: 'fail', text: judgement.text, ...(judgement.fix === undefined ? {} : { fix: judgement.fix }) }
  }
  if (byProbes?.result === 'pass') return byProbes
  if (judgement.verdict === 'right') return { result: 'pass', text: 'the page does not show the order as paid' }
  if (byProbes === undefined) return { result: 'warn', text: judgement.text, fix: ORDER_PROBE }
  return { ...byProbes, text: `${judgement.text}; ${byProbes.text}` }
}

export const CHECK_ADDRESS =
  'Check the address after --return-url. If the page needs a session, give its cookie: --header "Cookie: session=…".'
