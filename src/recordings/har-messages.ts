// The requests of a HAR file. Webhooks are requests to the application.
import { type HarEntry, requestBytes } from './har.ts'
import { readHar } from './har-reader.ts'
import type { RecordedMessage } from './recorded-message.ts'
import type { RecordingError } from './recording-error.ts'

/** @param onInvalid called for an entry that cannot be read. It may throw the error, or return to skip the entry. */
export async function* harMessages(
  pieces: AsyncIterable<Uint8Array>,
  name: string,
  onInvalid: (error: RecordingError) => void,
): AsyncGenerator<RecordedMessage> {
  for await (const { number, entry } of readHar(pieces, name, onInvalid)) yield messageOf(entry, number)
}

const BASE64 = /^[\w+/\s-]*[=\s]*$/

function messageOf({ startedDateTime, request, _signature: signature }: HarEntry, number: number): RecordedMessage {
  const at = Date.parse(startedDateTime)
  const { postData } = request
  const isDamaged = postData?._encoding === 'base64' && !BASE64.test(postData.text)
  const body = isDamaged ? undefined : requestBytes(request)
  return {
    place: `entry ${number}`,
    ...(!Number.isNaN(at) && { at }),
    ...(body !== undefined && body.length > 0 && { body }),
    ...(isDamaged && { noBody: 'its text is not valid base64.' }),
    headers: request.headers.map((header) => [header.name, header.value] as const),
    ...(signature && { signature }),
    about: `${request.method} ${request.url}`,
  }
}
