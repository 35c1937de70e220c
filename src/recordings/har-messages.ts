// The requests of a HAR file. Webhooks are requests to the application.
import { type HarEntry, requestBytes } from './har.ts'
import { readHar } from './har-reader.ts'
import type { RecordedMessage } from './recorded-message.ts'

export async function* harMessages(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<RecordedMessage> {
  for await (const { number, entry } of readHar(pieces, name)) yield messageOf(entry, number)
}

function messageOf({ startedDateTime, request, _signature: signature }: HarEntry, number: number): RecordedMessage {
  const at = Date.parse(startedDateTime)
  const body = requestBytes(request)
  return {
    place: `entry ${number}`,
    ...(Number.isNaN(at) ? {} : { at }),
    ...(body === undefined || body.length === 0 ? {} : { body }),
    headers: request.headers.map((header) => [header.name, header.value] as const),
    ...(signature === undefined ? {} : { signature }),
    about: `${request.method} ${request.url}`,
  }
}
