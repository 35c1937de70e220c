import { type Deferred, deferred } from '../../domain/promises.ts'
import { startPackageThread } from '../../package-files/package-files.ts'
import { copyBytes } from '../growing-buffer.ts'
import { type FromThread, fromSentError, type ImportJob, type StateImport, type ToThread } from './import-messages.ts'
import type { ImportSummary, StagedPage } from './state-importer.ts'

/** `push` waits if the thread has not read this many chunks yet. */
const MAX_CHUNKS_IN_FLIGHT = 16

/** Runs an import in a thread. A page from the thread waits here until `take` has handled the earlier pages. */
export function startImportThread(url: URL, job: ImportJob, take: (page: StagedPage) => Promise<void>): StateImport {
  const worker = startPackageThread(url, { workerData: job, resourceLimits: { maxYoungGenerationSizeMb: 16 } })
  let unread = 0
  let summary: ImportSummary | undefined
  let failure: { readonly error: unknown } | undefined
  /** The caller that waits for the next message of the thread. */
  let waiting: Deferred<void> | undefined
  let taking: Promise<void> = Promise.resolve()

  worker.on('message', (message: FromThread) => {
    if (message.kind === 'page') {
      taking = taking.then(() => takePage(message.page))
      taking.catch(fail)
    } else if (message.kind === 'failed') fail(fromSentError(message.error))
    else {
      if (message.kind === 'read') unread--
      if (message.kind === 'summary') summary = message.summary
      waiting?.resolve()
    }
  })
  worker.once('error', fail)
  worker.once('exit', (code) => fail(new Error(`The import thread ended with code ${code}.`)))

  function fail(error: unknown): void {
    failure ??= { error }
    waiting?.reject(failure.error)
  }

  async function nextMessage(): Promise<void> {
    if (failure !== undefined) throw failure.error
    waiting = deferred()
    await waiting.promise
  }

  async function takePage(page: StagedPage): Promise<void> {
    // Each thread has separate memory, which an ended thread does not leave to the next import. So copy the page.
    await take({ ...page, bytes: copyBytes(page.bytes) })
    send({ kind: 'handled' })
  }

  function send(message: ToThread, transfer: ArrayBuffer[] = []): void {
    worker.postMessage(message, transfer)
  }

  return {
    async push(chunk) {
      if (failure !== undefined) throw failure.error
      // Chunks of a socket share one buffer, which cannot be transferred.
      const bytes = new Uint8Array(chunk)
      unread++
      send({ kind: 'chunk', bytes }, [bytes.buffer])
      while (unread >= MAX_CHUNKS_IN_FLIGHT) await nextMessage()
    },
    async pushFile(path) {
      unread++
      send({ kind: 'file', path })
      while (unread > 0) await nextMessage()
    },
    async endInput() {
      send({ kind: 'end' })
      while (summary === undefined) await nextMessage()
      await taking
      return summary
    },
    async writeStateFile(state) {
      send({ kind: 'finish', state })
      await nextMessage()
    },
    dispose: async () => void (await worker.terminate()),
  }
}
