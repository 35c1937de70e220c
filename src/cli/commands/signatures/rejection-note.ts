// Suggests a cause if a receiver rejected a webhook although its signature is valid.
import { isSuccess } from '../../../domain/http-status.ts'
import { fixForStatus } from '../../../domain/remediation.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Subject } from './verify-input.ts'

const LONGEST = 240

/** Statuses with which receivers reject a signature. */
const OF_SIGNATURES = [400, 401, 403]

/**
 * Returns `undefined` if the receiver did not reject the webhook.
 *
 * @param seen true if the receiver read this body, and it matches the signature
 */
export function refusedNote({ answer }: Subject, seen: boolean): string | undefined {
  if (answer === undefined || isSuccess(answer.status)) return undefined
  const text = sanitizeLine(answer.text.replace(/\s+/g, ' ').trim())
  const words = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  const said = `Your handler returned ${answer.status}${words === '' ? '' : `: ${words.replace(/\.$/, '')}`}${/[?!]$/.test(words) ? '' : '.'}`
  if (!OF_SIGNATURES.includes(answer.status)) return `${said} ${fixForStatus(answer.status)}`
  if (seen) return `${said} Its body and this secret are correct. Check how it computes and compares the hash.`
  return `${said} The sent bytes and signature are valid. Check your secret: give the one of your application with --secret. Or save the body that your application verified, and check that file: \`psp verify --delivery ${answer.delivery} body.json --explain\`.`
}
