// Reads response heads before the HTTP parser does, to drop informational responses and to measure headers.
import { MAX_HEAD_BYTES, MAX_INFORMATIONAL, ResponseHeadError } from '../domain/http-response.ts'

/** Headers above the limit are measured up to this number of bytes. */
const MAX_MEASURED = 1024 * 1024
const EMPTY = Buffer.alloc(0)
const CR = 0x0d
const LF = 0x0a
/** The length of the longest end of a head, CR LF CR LF, without its last byte. */
const OVERLAP = 3

export interface ResponseHead {
  /**
   * Returns the bytes that the parser may read now; none while a head is incomplete.
   * @throws ResponseHeadError
   */
  read(chunk: Buffer): Buffer
  /** Returns the error of a connection that ends in headers above the limit. */
  end(): ResponseHeadError | undefined
}

export function createResponseHead(): ResponseHead {
  let stage: 'head' | 'oversized' | 'body' = 'head'
  let head: Buffer = EMPTY
  /** The number of bytes read from headers above the limit. Only the last few of them are stored in `head`. */
  let measured = 0
  let informational = 0

  function readHead(chunk: Buffer): Buffer {
    const scanned = Math.max(0, head.length - OVERLAP)
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    for (let from = scanned; ; from = 0) {
      const kind = kindOf(head)
      if (kind === 'unknown') return EMPTY
      if (kind === 'other') return release()
      const end = endOfHead(head, from)
      if ((end ?? head.length) > MAX_HEAD_BYTES) return measure(end)
      if (end === undefined) return EMPTY
      if (kind === 'final') return release()
      if (++informational > MAX_INFORMATIONAL) throw new ResponseHeadError('PSP_INFORMATIONAL_OVERFLOW')
      head = head.subarray(end)
    }
  }

  function release(): Buffer {
    const bytes = head
    stage = 'body'
    head = EMPTY
    return bytes
  }

  function measure(end: number | undefined): Buffer {
    if (end !== undefined) throw new ResponseHeadError('PSP_HEAD_OVERFLOW', measured + end)
    stage = 'oversized'
    measured += head.length - OVERLAP
    head = head.subarray(-OVERLAP)
    if (measured > MAX_MEASURED) throw new ResponseHeadError('PSP_HEAD_OVERFLOW', MAX_MEASURED, true)
    return EMPTY
  }

  return {
    read(chunk) {
      if (stage === 'body') return chunk
      if (stage === 'head') return readHead(chunk)
      head = Buffer.concat([head, chunk])
      return measure(endOfHead(head, 0))
    },
    end: () =>
      stage === 'oversized' ? new ResponseHeadError('PSP_HEAD_OVERFLOW', measured + OVERLAP, true) : undefined,
  }
}

const VERSION = Buffer.from('HTTP/1.')
/** The length of `HTTP/1.1 103`. */
const STATUS_END = 12

/** A 101 counts as final, because HTTP ends with it. `other` bytes are not HTTP, so the parser reports the error. */
function kindOf(bytes: Buffer): 'informational' | 'final' | 'other' | 'unknown' {
  const start = bytes.subarray(0, VERSION.length)
  if (!start.equals(VERSION.subarray(0, start.length))) return 'other'
  if (bytes.length < STATUS_END) return 'unknown'
  const status = bytes.toString('latin1', VERSION.length + 1, STATUS_END)
  return / 1\d\d/.test(status) && status !== ' 101' ? 'informational' : 'final'
}

/** Position after the empty line that ends the head. Line ends may be LF alone. */
function endOfHead(bytes: Buffer, from: number): number | undefined {
  for (let at = bytes.indexOf(LF, from); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    const next = bytes[at + 1]
    if (next === LF) return at + 2
    if (next === CR && bytes[at + 2] === LF) return at + 3
  }
  return undefined
}
