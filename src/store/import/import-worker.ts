// The thread of an import. It reads, checks and writes the state while the main thread serves requests.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { readPieces } from '../folder/async-files.ts'
import { nodeFileSystem } from '../folder/file-system.ts'
import { lowerThreadPriority } from '../thread-priority.ts'
import { type FromThread, type ImportJob, MAX_PAGES_IN_FLIGHT, type ToThread, toSentError } from './import-messages.ts'
import { createStagedFolder } from './staged-folder.ts'
import { type StagedPage, StateImporter } from './state-importer.ts'

/** The first bytes are read at normal priority. At low priority a small import could take seconds on a busy machine. */
const QUICK_BYTES = 1024 * 1024

if (parentPort !== null) serve(parentPort, workerData)

function serve(port: MessagePort, { kind, seq, folder }: ImportJob): void {
  const importer = new StateImporter(kind, seq)
  const staged = folder === undefined ? undefined : createStagedFolder(nodeFileSystem, folder)
  /** The number of pages that may be written and sent now. */
  let free = MAX_PAGES_IN_FLIGHT
  let onFree = () => {}
  /** Pages are written in parallel, and sent in order. */
  let sending: Promise<void> = Promise.resolve()
  let work: Promise<void> = Promise.resolve()
  let bytesRead = 0

  port.on('message', (message: ToThread) => {
    if (message.kind === 'handled') {
      free++
      onFree()
    } else work = work.then(() => run(message)).catch(fail)
  })

  async function run(message: Exclude<ToThread, { readonly kind: 'handled' }>): Promise<void> {
    if (message.kind === 'chunk') {
      await read(message.bytes)
      post({ kind: 'read' })
    } else if (message.kind === 'file') {
      for await (const chunk of readPieces(nodeFileSystem, message.path)) await read(chunk)
      post({ kind: 'read' })
    } else if (message.kind === 'end') {
      await sendAll(importer.end())
      await sending
      post({ kind: 'summary', summary: importer.summary() })
    } else {
      await staged?.finish(message.state)
      post({ kind: 'finished' })
    }
  }

  async function read(chunk: Uint8Array): Promise<void> {
    const isQuick = bytesRead <= QUICK_BYTES
    bytesRead += chunk.length
    if (isQuick && bytesRead > QUICK_BYTES) lowerThreadPriority()
    await sendAll(importer.push(chunk))
  }

  async function sendAll(pages: Iterable<StagedPage | undefined>): Promise<void> {
    for (const page of pages) {
      if (page === undefined) continue
      while (free === 0) {
        await new Promise<void>((resolve) => {
          onFree = resolve
        })
      }
      free--
      const written = Promise.all([sending, staged?.write(page)])
      sending = written.then(() => post({ kind: 'page', page }, [bufferOf(page.bytes), bufferOf(page.lines)]))
      sending.catch(fail)
    }
  }

  function fail(error: unknown): void {
    post({ kind: 'failed', error: toSentError(error) })
  }

  function post(message: FromThread, transfer: ArrayBuffer[] = []): void {
    port.postMessage(message, transfer)
  }
}

/** Returns the buffer of a page, which is transferred to the main thread. */
function bufferOf({ buffer }: Uint8Array | Uint32Array): ArrayBuffer {
  return buffer as ArrayBuffer
}
