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

/** Returns the bytes, converted to UTF-8 if they are UTF-16. */
export function asUtf8(bytes: Buffer): Buffer {
  return isUtf16(bytes) ? Buffer.from(decoded(bytes)) : bytes
}

function isUtf16(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe
}
