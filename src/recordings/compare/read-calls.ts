import { readHar } from '../har-reader.ts'
import { RecordingError } from '../recording-error.ts'
import { type RecordedCall, recordedCall } from './recorded-call.ts'

export interface ReadCalls {
  readonly calls: readonly RecordedCall[]
  /** Entries of other services, of the control API and of the hosted page. */
  readonly others: number
}

/** Bytes of requests and responses. They need several times as much memory, and are replayed several times. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads the calls of the public API. Other entries are not kept in memory.
 * @param most bytes of calls that are kept
 * @throws RecordingError
 */
export async function readCalls(pieces: AsyncIterable<Uint8Array>, name: string, most = MAX_BYTES): Promise<ReadCalls> {
  const calls: RecordedCall[] = []
  let others = 0
  let bytes = 0
  for await (const { entry, number } of readHar(pieces, name)) {
    const call = recordedCall(entry, number)
    if (call === undefined) {
      others++
      continue
    }
    calls.push(call)
    bytes += sizeOf(call)
    if (bytes <= most) continue
    throw new RecordingError(
      `${name} is too long: the calls of the API up to entry ${number} have more than ${Math.round(most / 1024 / 1024)} MiB.`,
      'Record a shorter session. A comparison needs each operation only a few times.',
    )
  }
  if (calls.length > 0) return { calls, others }
  throw new RecordingError(
    others === 0
      ? `${name} has no exchanges.`
      : others === 1
        ? `The exchange in ${name} does not belong to the public API.`
        : `None of the ${others} exchanges in ${name} belongs to the public API.`,
    'Paths of the API begin with /v1/public/. `psp record` makes a recording.',
  )
}

/** Bytes of a call without its bodies. */
const CALL_BYTES = 500

function sizeOf({ body, response }: RecordedCall): number {
  return CALL_BYTES + body.length + (response?.text?.length ?? 0)
}
