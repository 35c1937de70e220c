import { readHar } from '../har-reader.ts'
import { RecordingError } from '../recording-error.ts'
import { publicPath, type RecordedCall, timeIssue } from './recorded-call.ts'
import { type CallFile, CallStore } from './stored-calls.ts'

export interface ReadCalls {
  readonly calls: readonly RecordedCall[]
  /** The number of entries that are not calls of the public API. */
  readonly otherEntries: number
  /** The origins of the calls. */
  readonly services: readonly { readonly origin: string; readonly exchanges: number }[]
}

/**
 * Reads the calls of the public API into the file.
 * @throws RecordingError
 */
export async function readCalls(pieces: AsyncIterable<Uint8Array>, name: string, file: CallFile): Promise<ReadCalls> {
  const store = new CallStore(file)
  const calls: RecordedCall[] = []
  const services = new Map<string, number>()
  let otherEntries = 0
  for await (const { entry, number } of readHar(pieces, name)) {
    const issue = publicPath(entry) === undefined ? undefined : timeIssue(entry)
    if (issue !== undefined) {
      throw new RecordingError(
        `${name}: entry ${number} has ${issue}.`,
        'Correct the entry, or remove it. A time is written as 2026-05-06T12:00:00.000Z, and a duration in ms.',
      )
    }
    const call = store.add(entry, number)
    if (call === undefined) {
      otherEntries++
      continue
    }
    calls.push(call)
    const { origin } = new URL(entry.request.url)
    services.set(origin, (services.get(origin) ?? 0) + 1)
  }
  if (calls.length > 0)
    return { calls, otherEntries, services: [...services].map(([origin, exchanges]) => ({ origin, exchanges })) }
  throw new RecordingError(
    otherEntries === 0
      ? `${name} has no exchanges.`
      : otherEntries === 1
        ? `The exchange in ${name} does not belong to the public API.`
        : `None of the ${otherEntries} exchanges in ${name} belongs to the public API.`,
    'Paths of the API begin with /v1/public/. `psp record` makes a recording.',
  )
}
