// Decodes bodies with a Content-Encoding (RFC 9110 section 8.4), with a limit on what a small body may expand to.
import type { Transform } from 'node:stream'
import type { HeaderList } from '../domain/delivery.ts'

type Zlib = typeof import('node:zlib')

/** A body with more encodings is a mistake or an attack. */
const MAX_ENCODINGS = 5
/** Maximum size of the result of each decoding step except the last, in bytes. */
const MAX_INTERMEDIATE = 1024 * 1024

export interface EncodedBody {
  readonly bytes: Buffer
  /** False if the end of the body is missing. */
  readonly isWhole: boolean
}

/** A body that could not be decoded. The message is a clause. */
export class DecodingError extends Error {
  override readonly name = 'DecodingError'
}

/** Returns the encodings in the order in which they were applied. */
export function encodingsOf(headers: HeaderList): readonly string[] {
  const values = headers.filter(([name]) => name.toLowerCase() === 'content-encoding').map(([, value]) => value)
  return values
    .flatMap((value) => value.split(','))
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
}

/**
 * Decodes up to `limit` bytes.
 * @throws DecodingError
 */
export async function decodeBody(body: EncodedBody, encodings: readonly string[], limit: number): Promise<EncodedBody> {
  if (encodings.length > MAX_ENCODINGS) throw new DecodingError(`psp decodes at most ${MAX_ENCODINGS} encodings`)
  const zlib = await import('node:zlib')
  let decoded = body
  for (const [done, encoding] of encodings.toReversed().entries()) {
    const isLast = done === encodings.length - 1
    decoded = await decodeOne(zlib, decoded, encoding, isLast ? limit : MAX_INTERMEDIATE)
  }
  return decoded
}

/** Returns why a decoder of Node failed, as a clause, or `undefined` for any other error. */
export function decodingIssue(error: unknown, encoding: string): string | undefined {
  const { code, message } = (error ?? {}) as NodeJS.ErrnoException
  if (!/^(Z_|ZSTD_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR|ERR_PADDING)/.test(code ?? '')) return undefined
  return `it is not valid ${encoding} (${message ?? code})`
}

function decodeOne(zlib: Zlib, { bytes, isWhole }: EncodedBody, encoding: string, limit: number): Promise<EncodedBody> {
  const decoder = createDecoder(zlib, encoding, bytes, isWhole)
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const decoded = () => Buffer.concat(parts).subarray(0, limit)
    decoder.on('data', (part: Buffer) => {
      parts.push(part)
      length += part.length
      if (length <= limit) return
      decoder.destroy()
      resolve({ bytes: decoded(), isWhole: false })
    })
    decoder.on('end', () => resolve({ bytes: decoded(), isWhole }))
    decoder.on('error', (error) => reject(new DecodingError(decodingIssue(error, encoding) ?? error.message)))
    decoder.end(bytes)
  })
}

function createDecoder(zlib: Zlib, encoding: string, bytes: Buffer, isWhole: boolean): Transform {
  const { constants } = zlib
  // A body without its end is decoded as far as possible.
  const zlibOptions = isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH }
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip(zlibOptions)
    case 'deflate':
      return hasZlibHeader(bytes) ? zlib.createInflate(zlibOptions) : zlib.createInflateRaw(zlibOptions)
    case 'br':
      return zlib.createBrotliDecompress(isWhole ? {} : { finishFlush: constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return createZstd(zlib, isWhole)
    default:
      throw new DecodingError(`psp cannot decode ${encoding.slice(0, 40)}`)
  }
}

/** Node has zstd from 22.15 on. */
function createZstd(zlib: Zlib, isWhole: boolean): Transform {
  const { createZstdDecompress, constants } = zlib as Zlib & {
    readonly createZstdDecompress?: (options: { readonly finishFlush?: number }) => Transform
    readonly constants: { readonly ZSTD_e_flush?: number }
  }
  if (createZstdDecompress === undefined) throw new DecodingError('this Node.js cannot decode zstd')
  const { ZSTD_e_flush } = constants
  return createZstdDecompress(isWhole || ZSTD_e_flush === undefined ? {} : { finishFlush: ZSTD_e_flush })
}

/** Some servers send raw deflate data, although RFC 9110 asks for the zlib format. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}
