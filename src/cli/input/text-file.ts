// Reads text files in the encodings that editors and shells write.
import { type InputContext, readInput } from './read-input.ts'

/** Returns a file, or stdin for `-`, as text without a byte order mark. */
export async function readText(path: string, session: InputContext): Promise<string> {
  return decoded(await readInput(path, session))
}

/** Decodes UTF-8, or UTF-16 if it begins with that byte order mark. PowerShell 5 redirects output as UTF-16. */
export function decoded(bytes: Buffer): string {
  return new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** Converts the pieces to UTF-8 if they are UTF-16. */
export async function* asUtf8(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  let isFirst = true
  for await (const piece of pieces) {
    if (isFirst && isUtf16(piece)) decoder = new TextDecoder('utf-16le')
    isFirst = false
    yield decoder === undefined ? piece : Buffer.from(decoder.decode(piece, { stream: true }))
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe
}
