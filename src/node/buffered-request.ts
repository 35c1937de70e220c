// A request that the short way takes: its body is kept as it arrives, without the machinery of a stream, which costs a tenth
// of a create (docs/decisions/004).
import { IncomingMessage } from 'node:http'
import type { BufferedBody } from '../http/app-env.ts'
import { clientDisconnected } from '../http/read-body.ts'

export class BufferedIncomingMessage extends IncomingMessage implements BufferedBody {
  #own: BodyBuffer | undefined

  bufferBody(): void {
    this.#own = { chunks: [], complete: false, waiting: undefined }
  }

  bufferedBody(): Buffer | Promise<Buffer> | undefined {
    const own = this.#own
    if (own === undefined) return undefined
    if (own.complete) return joined(own)
    return new Promise((resolve, reject) => {
      own.waiting = { resolve, reject }
    })
  }

  /** Called by the server's parser: with each piece, then with null. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    const own = this.#own
    if (own === undefined) return super.push(chunk, encoding)
    if (chunk !== null) own.chunks.push(chunk)
    else {
      own.complete = true
      own.waiting?.resolve(joined(own))
    }
    return true
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (this.#own?.complete === false) this.#own.waiting?.reject(clientDisconnected())
    super._destroy(error, callback)
  }

  /** Called by the server after the answer, to get rid of a body that nobody read. */
  _dump(): void {
    if (this.#own === undefined) dump.call(this)
  }
}

const dump = (IncomingMessage.prototype as unknown as { _dump(): void })._dump

interface BodyBuffer {
  readonly chunks: Buffer[]
  complete: boolean
  waiting: { resolve(body: Buffer): void; reject(error: unknown): void } | undefined
}

function joined({ chunks }: BodyBuffer): Buffer {
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}
