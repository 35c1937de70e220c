import { ApiError } from '../../../client/errors.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { NoFlags, Run } from '../../command.ts'
import { asUtf8, type Input, openInput } from '../../input/read-input.ts'
import { type Progress, startCount, startProgress } from '../../output/progress.ts'
import { printResult } from '../../output/result.ts'
import type { Session } from '../../session.ts'
import { requireSameSandbox } from '../../target/other-server.ts'
import type { IMPORT_FILE } from '../store.ts'
import { noteRemovedSecrets } from './subcommands.ts'

/** Streams the state, because it may be larger than memory. The server replaces its state only after the last byte. */
export const importState: Run<typeof IMPORT_FILE, NoFlags> = async ({ args, session }) => {
  const name = sanitizeLine(args.file)
  const input = openInput(args.file, session)
  await requireSameSandbox(session)
  const { client } = await session.target()
  const pieces = withProgress(input, session)
  try {
    const response = await client.raw.control.json({ method: 'PUT', path: '/_psp/import', pieces })
    return await printResult(session.out, response, () => {
      session.out.line(`imported the state from ${args.file === '-' ? 'stdin' : args.file}`)
      noteRemovedSecrets(session, response)
    })
  } catch (error) {
    // If the file cannot be read, the client reports a failed connection. The cause is reported instead.
    if (pieces.failure() !== undefined) throw pieces.failure()
    throw withLineNumber(error, name)
  } finally {
    pieces.stop()
  }
}

interface CountedInput extends AsyncIterable<Uint8Array> {
  readonly size: number | undefined
  /** Why the input ended early. */
  failure(): unknown
  stop(): void
}

const KB = 1024
const MB = 1024 * KB

/** Shows how many bytes of the input were sent. */
async function startByteProgress(size: number | undefined, session: Session): Promise<Progress> {
  if (size === undefined) {
    const counted = await startCount(session, 'MB')
    return { update: (bytes) => counted.update(Math.floor(bytes / MB)), stop: counted.stop }
  }
  const [unit, name] = size < 10 * MB ? [KB, 'KB'] : [MB, 'MB']
  const bar = await startProgress(session, name, Math.ceil(size / unit))
  return { update: (bytes) => bar.update(Math.ceil(bytes / unit)), stop: bar.stop }
}

function withProgress({ size, pieces }: Input, session: Session): CountedInput {
  let failure: unknown
  let stop = () => {}

  async function* read(): AsyncGenerator<Uint8Array> {
    const progress = await startByteProgress(size, session)
    stop = progress.stop
    let bytes = 0
    try {
      for await (const piece of asUtf8(pieces)) {
        bytes += piece.byteLength
        progress.update(bytes)
        yield piece
      }
    } catch (error) {
      failure = error
      throw error
    }
  }

  return { size, [Symbol.asyncIterator]: read, failure: () => failure, stop: () => stop() }
}

/** The position in the request body is also the position in the file. */
const POSITION = /^(?:body: )?(.*) \(line (\d+)(?:, column (\d+))?\)\. Nothing was changed\.$/s

/** Adds the file and the line to the error of a rejected import. Returns other errors unchanged. */
function withLineNumber(error: unknown, file: string): unknown {
  if (!(error instanceof ApiError) || error.status !== 400) return error
  const [, why, line, column] = POSITION.exec(error.message) ?? []
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const what = why === undefined ? error.message.replace(/^body: /, '') : `${why}. Nothing was changed.`
  const hint = 'Correct the file, or create another with `psp store export FILE`.'
  return new ApiError(error.status, error.code, `${place}: ${what}`, error.retryAfter, hint)
}
