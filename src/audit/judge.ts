// What a handler's answers to one check amount to.
import { fixForStatus } from '../domain/remediation.ts'
import { judgeByPages } from './by-pages.ts'
import type { Check, Ground } from './check.ts'
import { moved, told } from './effect.ts'
import { type Finding, judgeByProbes, type Seen } from './judge-effects.ts'
import type { Page } from './page.ts'
import type { Answer } from './ports.ts'

/** `skip`: it was not judged, since the handler is gone. */
export type Result = 'pass' | 'fail' | 'warn' | 'skip'

export interface Verdict {
  readonly result: Result
  /** What came, in words. */
  readonly got: string
  /** Where it is more to the point than the check's own. */
  readonly fix?: string
}

/** ms: a handler this slow will miss the deadline of 15 s on a bad day. */
const SLOW = 5000

/** @param seen by each probe; `undefined` where there is none, or where it ended together with the handler */
export function judge(
  check: Check,
  answers: readonly Answer[],
  seen: readonly Seen[] | undefined,
  ground: Ground,
  pages: readonly Page[] = [],
): Verdict {
  const got = answersText(answers)
  const worst = check.mild === true ? 'warn' : 'fail'
  if (check.expect === 'refused') return judgeRefused(check, answers, seen, got, worst)
  const refused = answers.find((answer) => answer.isVisit !== true && !isTaken(answer))
  if (refused !== undefined) return { result: worst, got, ...fixOf(check, refused) }
  const found = findingOf(check, answers, seen ?? [], ground, pages)
  if (found !== undefined) {
    const { text, ...finding } = found
    return { ...finding, got: `${got}; ${text}` }
  }
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  return slowest > SLOW ? { result: 'warn', got, fix: ANSWER_FIRST } : { result: 'pass', got }
}

/** `undefined` if the responses alone decide. */
function findingOf(
  check: Check,
  answers: readonly Answer[],
  seen: readonly Seen[],
  ground: Ground,
  pages: readonly Page[],
): Finding | undefined {
  const { judgePages } = check
  if (judgePages !== undefined) {
    const visits = answers.filter(({ isVisit }) => isVisit === true)
    return judgeByPages({ ...check, judgePages }, visits, pages, seen, ground)
  }
  return check.judge === undefined ? undefined : judgeByProbes(check, seen, ground)
}

function judgeRefused(
  check: Check,
  answers: readonly Answer[],
  seen: readonly Seen[] | undefined,
  got: string,
  worst: Result,
): Verdict {
  if (answers.some(isTaken)) return { result: worst, got }
  if (answers.some(({ status, error }) => status === undefined || error !== undefined)) {
    return {
      result: 'fail',
      got,
      fix: 'Answer 400. No answer at all looks like a crash: the log of the handler tells.',
    }
  }
  const touched = seen?.flatMap(({ effects }) => effects).find(moved)
  if (touched !== undefined) {
    const text = `${got}; and yet it moved ${told(touched)}`
    return { result: 'fail', got: text, fix: 'Verify first, and do nothing before.' }
  }
  if (check.ownErrors !== true && answers.some(({ status }) => (status ?? 0) >= 500)) {
    return { result: 'warn', got, fix: 'It was refused by an error, not by a decision: check, and answer 400.' }
  }
  return { result: 'pass', got }
}

const ANSWER_FIRST = 'Answer first and work afterwards: after 15 s the webhook counts as not delivered.'

export function isTaken({ status, error }: Answer): boolean {
  return error === undefined && status !== undefined && status >= 200 && status < 300
}

/** The check knows more of these than their status says: of the signature, or of an order it does not know. */
const OF_THE_CHECK = [400, 401, 404]

/** Of the signature alone: that it was refused by an error says nothing of it. */
const OF_THE_SIGNATURE = 'valid'

function fixOf({ id, fix, covers = [] }: Check, { status, code }: Answer): { fix: string } {
  if (code === 'ETIMEDOUT') return { fix: `${ANSWER_FIRST} ${fix}` }
  if (status !== undefined && status >= 500 && id === OF_THE_SIGNATURE) return { fix: fixForStatus(status) }
  if (status === undefined || status >= 500) return { fix }
  if (OF_THE_CHECK.includes(status) || covers.includes(status)) return { fix }
  return { fix: `${fixForStatus(status)} ${fix}` }
}

/** `200 in 4 ms`, `5 x 200, 500 in 31 ms: Internal Server Error`. */
function answersText(answers: readonly Answer[]): string {
  const counts = new Map<string, number>()
  for (const { status, error } of answers) {
    const text = error ?? String(status)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const each = [...counts].map(([text, count]) => (count === 1 ? text : `${count} x ${text}`)).join(', ')
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  const said = answers.find((answer) => !isTaken(answer) && answer.text.trim() !== '')?.text
  return `${each} in ${slowest} ms${said === undefined ? '' : `: ${line(said)}`}`
}

function line(text: string): string {
  const one = text.replace(/\s+/g, ' ').trim()
  return one.length > 160 ? `${one.slice(0, 159)}…` : one
}
