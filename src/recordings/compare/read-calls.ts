import { readHar } from '../har-reader.ts'
import { RecordingError } from '../recording-error.ts'
import { type RecordedCall, recordedCall } from './recorded-call.ts'

export interface ReadCalls {
  readonly calls: readonly RecordedCall[]
  /** Entries of other services, of the control API and of the hosted page. */
  readonly others: number
}

/**
 * Reads the calls of the public API. Other entries are not kept in memory.
 * @throws RecordingError
 */
export async function readCalls(pieces: AsyncIterable<Uint8Array>, name: string): Promise<ReadCalls> {
  const calls: RecordedCall[] = []
  let others = 0
  for await (const { entry, number } of readHar(pieces, name)) {
    const call = recordedCall(entry, number)
    if (call === undefined) others++
    else calls.push(call)
  }
  if (calls.length > 0) return { calls, others }
  throw new RecordingError(
    others === 0
      ? `${name} has no exchanges.`
      : `None of the ${others} exchanges in ${name} belongs to the public API.`,
    'Paths of the API begin with /v1/public/. `psp record` makes a recording.',
  )
}
