// Judges a handler's responses to one check.
import { ellipsize } from '../domain/characters.ts'
import { isAccepted } from '../domain/http-response.ts'
import { causeAndAdvice } from '../domain/receiver-failures.ts'
import { fixForStatus } from '../domain/remediation.ts'
import type { Check, MessageValues } from './check.ts'
import { formatEffect, hasChanged } from './effect.ts'
import { type CheckFinding, judgeByProbes, type ProbeResult } from './judge-effects.ts'
import { judgeByPages } from './judge-pages.ts'
import type { Page } from './page.ts'
import type { HandlerResponse } from './ports.ts'

/** `skip`: the check was not judged, for example because the handler stopped earlier. */
export type Result = 'pass' | 'fail' | 'warn' | 'skip'

export interface Verdict {
  readonly result: Result
  /** The observed behaviour, as text. */
  readonly got: string
  /** Replaces the fix of the check. */
  readonly fix?: string
}

/** In ms. A handler that is slower may miss the deadline of 15 s under load. */
const SLOW = 5000

/** @param seen the result of each probe, or `undefined` if the probes failed together with the handler */
export function judge(
  check: Check,
  responses: readonly HandlerResponse[],
  seen: readonly ProbeResult[] | undefined,
  values: MessageValues,
  pages: readonly Page[] = [],
): Verdict {
  const got = formatResponses(responses)
  const worst = check.warnsOnly === true ? 'warn' : 'fail'
  if (check.expect === 'reject') return judgeRefused(check, responses, seen, got, worst)
  const refused = responses.find((response) => response.isVisit !== true && !isAccepted(response))
  if (refused !== undefined) return { result: worst, got, ...fixOf(check, refused) }
  const found = findingOf(check, responses, seen ?? [], values, pages)
  if (found !== undefined) {
    const { text, ...finding } = found
    return { ...finding, got: `${got.replace(/\.$/, '')}; ${text}` }
  }
  return slowest(responses) > SLOW ? { result: 'warn', got, fix: RESPOND_FIRST } : { result: 'pass', got }
}

/** Returns `undefined` if the responses alone decide. */
function findingOf(
  check: Check,
  responses: readonly HandlerResponse[],
  seen: readonly ProbeResult[],
  values: MessageValues,
  pages: readonly Page[],
): CheckFinding | undefined {
  const { judgePages } = check
  if (judgePages !== undefined) {
    const visits = responses.filter(({ isVisit }) => isVisit === true)
    return judgeByPages({ ...check, judgePages }, visits, pages, seen, values)
  }
  return check.judge === undefined ? undefined : judgeByProbes(check, seen, values)
}

function judgeRefused(
  check: Check,
  responses: readonly HandlerResponse[],
  seen: readonly ProbeResult[] | undefined,
  got: string,
  worst: Result,
): Verdict {
  if (responses.some(isAccepted)) return { result: worst, got }
  if (responses.some(({ status, error }) => status === undefined || error !== undefined)) {
    return {
      result: 'fail',
      got,
      fix: 'Respond 400. Without a response the handler seems to have crashed: see its log.',
    }
  }
  const touched = seen?.flatMap(({ effects }) => effects).find(hasChanged)
  if (touched !== undefined) {
    const text = `${got}; but it changed ${formatEffect(touched)}`
    return { result: 'fail', got: text, fix: 'Verify the signature before anything else.' }
  }
  if (check.allows5xx !== true && responses.some(({ status }) => (status ?? 0) >= 500)) {
    return {
      result: 'warn',
      got,
      fix: 'The rejection was an error, not a decision. Check the signature, and respond 400.',
    }
  }
  return { result: 'pass', got }
}

const RESPOND_FIRST = 'Respond first and work afterwards: after 15 s the webhook counts as not delivered.'

/** Statuses that may concern the signature or an unknown order. The check's fix covers them best. */
const STATUSES_OF_CHECK = [400, 401, 404]

/** The check of a valid signature. Its fix is about signatures, so it does not help with a 5xx. */
const SIGNATURE_CHECK = 'valid'

function fixOf({ id, fix, fixCoversStatuses = [] }: Check, { status, code }: HandlerResponse): { fix: string } {
  if (code === 'ETIMEDOUT') return { fix: `${RESPOND_FIRST} ${fix}` }
  if (status !== undefined && status >= 500 && id === SIGNATURE_CHECK) return { fix: fixForStatus(status) }
  if (status === undefined || status >= 500) return { fix }
  if (STATUSES_OF_CHECK.includes(status) || fixCoversStatuses.includes(status)) return { fix }
  return { fix: `${fixForStatus(status)} ${fix}` }
}

/**
 * Returns `200 in 4 ms` or `5 x 200, 500 in 31 ms: Internal Server Error`. Responses that were not complete come last,
 * because their errors are sentences.
 */
function formatResponses(responses: readonly HandlerResponse[]): string {
  const complete = responses.filter(({ error }) => error === undefined)
  const errors = new Set(responses.flatMap(({ error }) => error ?? []))
  const texts = [...errors].map((error) =>
    formatErrors(
      error,
      responses.filter((response) => response.error === error),
    ),
  )
  return [...(complete.length === 0 ? [] : [formatStatuses(complete)]), ...texts].join('; ')
}

function formatStatuses(responses: readonly HandlerResponse[]): string {
  const counts = new Map<string, number>()
  for (const { status } of responses) counts.set(String(status), (counts.get(String(status)) ?? 0) + 1)
  const each = [...counts].map(([status, count]) => times(count, status)).join(', ')
  const said = responses.find((response) => !isAccepted(response) && response.text.trim() !== '')?.text
  return `${each} in ${slowest(responses)} ms${said === undefined ? '' : `: ${line(said)}`}`
}

/** Adds the time to the end of the first sentence, unless the error is a timeout, whose message contains the time. */
function formatErrors(error: string, same: readonly HandlerResponse[]): string {
  if (same.some(({ code }) => code === 'ETIMEDOUT')) return times(same.length, error)
  const { cause, advice } = causeAndAdvice(error)
  return `${times(same.length, cause.replace(/\.$/, ''))}, after ${slowest(same)} ms. ${advice}`.trim()
}

function slowest(responses: readonly HandlerResponse[]): number {
  return Math.max(...responses.map(({ ms }) => ms))
}

function times(count: number, text: string): string {
  return count === 1 ? text : `${count} x ${text}`
}

function line(text: string): string {
  return ellipsize(text.replace(/\s+/g, ' ').trim(), 160)
}
