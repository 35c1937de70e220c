import { DecodingError, decodeBody, encodingsOf } from './content-encoding.ts'

interface Response {
  readonly headers: { get(name: string): string | null }
  readonly body: AsyncIterable<Uint8Array> | null
}

/**
 * Reads the whole body of a response as decoded text.
 * @param limit bytes, before and after decoding
 * @throws DecodingError also if the body is larger
 */
export async function readText({ headers, body }: Response, limit: number): Promise<string> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > limit) throw tooLarge(limit)
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  const encodings = encodingsOf([['Content-Encoding', headers.get('content-encoding') ?? '']])
  if (encodings.length === 0 || bytes.length === 0) return bytes.toString()
  const decoded = await decodeBody({ bytes, isWhole: true }, encodings, limit)
  if (!decoded.isWhole) throw tooLarge(limit)
  return decoded.bytes.toString()
}

function tooLarge(limit: number): DecodingError {
  return new DecodingError(`it is larger than ${limit / 1024 / 1024} MiB`)
}
