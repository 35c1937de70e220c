// Files of text, as editors and shells write them.
import { type Listening, readInput } from './read-input.ts'

/** A file, or stdin for `-`, as text without a byte order mark. */
export async function readText(path: string, session: Listening): Promise<string> {
  return decoded(await readInput(path, session))
}

/** UTF-8; UTF-16 where its mark stands in front, as PowerShell 5 writes what it redirects. */
export function decoded(bytes: Buffer): string {
  return new TextDecoder(isUtf16(bytes) ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** The same bytes, but for those of PowerShell: as UTF-8. */
export function asUtf8(bytes: Buffer): Buffer {
  return isUtf16(bytes) ? Buffer.from(decoded(bytes)) : bytes
}

function isUtf16(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe
}
