// Long reads and writes that do not stop the event loop.
import { type FileSystemPort, writeAll } from './file-system.ts'

/** Bytes of a piece. */
const PIECE = 256 * 1024

export async function writeAside(port: FileSystemPort, fd: number, bytes: Uint8Array): Promise<void> {
  const taken = await port.writeAside(fd, bytes)
  if (taken < bytes.length) writeAll(port, fd, bytes.subarray(taken))
}

/** The content of a file. A piece is void after the next one is asked for. */
export async function* readPieces(port: FileSystemPort, path: string): AsyncGenerator<Uint8Array> {
  const fd = port.open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafeSlow(PIECE)
    let position = 0
    for (;;) {
      const count = await port.readAside(fd, buffer, position)
      if (count === 0) return
      position += count
      yield buffer.subarray(0, count)
    }
  } finally {
    port.close(fd)
  }
}
