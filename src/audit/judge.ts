// What a handler's answers to one check amount to.
import { adviceOnStatus } from '../domain/receiver-advice.ts'
import type { Check, Ground } from './check.ts'
import { type Effect, moved, told } from './effect.ts'
import type { Answer } from './ports.ts'

export type Result = 'pass' | 'fail' | 'warn'

export interface Verdict {
  readonly result: Result
  /** What came, in words. */
  readonly got: string
  /** Where it is more to the point than the check's own. */
  readonly fix?: string
}

/** ms: a handler this slow will miss the deadline of 15 s on a bad day. */
const SLOW = 5000

/** @param effects one for each step; `undefined` where there is no probe */
export function judge(
  check: Check,
  answers: readonly Answer[],
  effects: readonly Effect[] | undefined,
  ground: Ground,
): Verdict {
  const got = answersText(answers)
  const worst = check.mild === true ? 'warn' : 'fail'
  return check.expect === 'taken'
    ? judgeTaken(check, answers, effects, ground, got, worst)
    : judgeRefused(check, answers, effects, got, worst)
}

function judgeTaken(
  check: Check,
  answers: readonly Answer[],
  effects: readonly Effect[] | undefined,
  ground: Ground,
  got: string,
  worst: Result,
): Verdict {
  const refused = answers.find((answer) => !isTaken(answer))
  if (refused !== undefined) return { result: worst, got, ...fixOf(check, refused) }
  if (check.judge !== undefined) {
    if (effects === undefined) return { result: 'warn', got: `${got}; the effect was not seen`, fix: PROBE }
    const judgement = check.judge(effects, ground)
    if (judgement.verdict === 'wrong') return { result: 'fail', got: `${got}; ${judgement.text}` }
    if (judgement.verdict === 'unseen') return { result: 'warn', got: `${got}; ${judgement.text}`, fix: PROBE }
    return { result: 'pass', got: `${got}; the effect is right` }
  }
  const slowest = Math.max(...answers.map(({ ms }) => ms))
  return slowest > SLOW ? { result: 'warn', got, fix: ANSWER_FIRST } : { result: 'pass', got }
}

function judgeRefused(
  check: Check,
  answers: readonly Answer[],
  effects: readonly Effect[] | undefined,
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
  const touched = effects?.find(moved)
  if (touched !== undefined) {
    const text = `${got}; and yet the value moved ${told(touched)}`
    return { result: 'fail', got: text, fix: 'Verify first, and do nothing before.' }
  }
  if (check.ownErrors !== true && answers.some(({ status }) => (status ?? 0) >= 500)) {
    return { result: 'warn', got, fix: 'It was refused by an error, not by a decision: check, and answer 400.' }
  }
  return { result: 'pass', got }
}

const PROBE =
  'Let --probe URL or --probe-cmd CMD give a value that events change, such as the sum received; a status alone proves nothing.'
const ANSWER_FIRST = 'Answer first and work afterwards: after 15 s the webhook counts as not delivered.'

export function isTaken({ status, error }: Answer): boolean {
  return error === undefined && status !== undefined && status >= 200 && status < 300
}

/** 400 and 401 speak of the signature, which the check knows more about. */
function fixOf({ fix }: Check, { status, code }: Answer): { fix: string } {
  if (code === 'ETIMEDOUT') return { fix: `${ANSWER_FIRST} ${fix}` }
  if (status === undefined || status === 400 || status === 401 || status >= 500) return { fix }
  return { fix: `${adviceOnStatus(status)} ${fix}` }
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
