// Long responses in pieces: a state of a million rows is more text than one string can hold.

/** Pieces are made when the client reads. Before each, `turn` gives others the event loop. */
export function chunkStream(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  turn: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
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
