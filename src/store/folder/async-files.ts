// Reads and writes large files in pieces, so that other work continues.
import { type FileSystemPort, writeAll } from './file-system.ts'

const PIECE_BYTES = 256 * 1024

/** After a partial write, as on a full disk, writes the rest synchronously. This throws the error of the disk. */
export async function writeAllAsync(port: FileSystemPort, fd: number, bytes: Uint8Array): Promise<void> {
  const written = await port.writeAsync(fd, bytes)
  if (written < bytes.length) writeAll(port, fd, bytes.subarray(written))
}

/** Splits a chunk, which can have any size, into pieces that share its memory. */
export function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES)
}

/** Reads a file in pieces. A piece is valid only until the next one is requested. */
export async function* readPieces(port: FileSystemPort, path: string): AsyncGenerator<Uint8Array> {
  const fd = port.open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafeSlow(PIECE_BYTES)
    let position = 0
    for (;;) {
      const count = await port.readAsync(fd, buffer, position)
      if (count === 0) return
      position += count
      yield buffer.subarray(0, count)
    }
  } finally {
    port.close(fd)
  }
}
