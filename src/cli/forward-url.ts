// An address that a flag names, refused in words where it is none.
import { receiverUrl } from '../domain/receiver-url.ts'
import { usage } from './failure.ts'
import { shellHint } from './named-path.ts'

/** As `receiverUrl`, for a flag. */
export function forwardUrl(text: string): string {
  const read = receiverUrl(text)
  if ('url' in read) return read.url
  const hint = /user name or password/.test(read.fault) ? HEADER : (shellHint(text.trim()) ?? read.hint)
  throw usage(read.fault, hint)
}

const HEADER = "Send it as a header: --header 'Authorization: Basic …'."
