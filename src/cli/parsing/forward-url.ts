// An address that a flag names, refused in words where it is none.
import { receiverUrl } from '../../domain/receiver-url.ts'
import { usage } from '../failure.ts'
import { shellHint } from '../input/named-path.ts'

/** As `receiverUrl`, for a command that sends the webhooks itself and takes `--header`. */
export function forwardUrl(text: string): string {
  return whole(text, "Send it as a header: --header 'Authorization: Basic …'.")
}

/** As `receiverUrl`, for an address that the sandbox is to send webhooks to. */
export function endpointUrl(text: string): string {
  return whole(text, 'Leave them out; a token in the path or the query is sent.')
}

function whole(text: string, userInfoHint: string): string {
  const read = receiverUrl(text)
  if ('url' in read) return read.url
  const hint = /user name or password/.test(read.fault) ? userInfoHint : (shellHint(text.trim()) ?? read.hint)
  throw usage(read.fault, hint)
}
