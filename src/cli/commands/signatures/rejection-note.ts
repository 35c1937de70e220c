// Explains where to look if a receiver rejected a webhook although its signature is valid.
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
  const said = `Your handler answered ${answer.status}${words === '' ? '' : `: ${words.replace(/\.$/, '')}`}${/[?!]$/.test(words) ? '' : '.'}`
  if (!OF_SIGNATURES.includes(answer.status)) return `${said} ${fixForStatus(answer.status)}`
  if (seen)
    return `${said} The body it saw is right, and so is this secret: look at how it makes and compares the hash.`
  return `${said} The bytes and the signature that were sent are right. Compare your secret: --secret with the one your application uses. Or save the body your application verified, and give it as a file: \`psp verify --delivery ${answer.delivery} body.json --explain\`.`
}
