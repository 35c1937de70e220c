// Streams long responses in chunks, because the text of a million rows does not fit in a string.

/** Creates chunks when the client reads. Before each chunk, `turn` yields to the event loop. */
export function chunkStream(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  turn: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        await turn()
        const { done, value } = await iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
