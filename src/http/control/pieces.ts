// Long answers in pieces: a state of a million rows is more text than one string can hold.

/** UTF-8 bytes, a piece at a time, made when somebody reads. `turn` lets others have theirs in between. */
export function textStream(pieces: Iterable<string>, turn: () => Promise<void>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.iterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        await turn()
        const { done, value } = iterator.next()
        if (done === true) controller.close()
        else controller.enqueue(Buffer.from(value))
      },
    },
    { highWaterMark: 0 },
  )
}

const PIECE = 64 * 1024

/** A JSON object of `head`'s fields, then `tables`, a row a line. */
export function* stateText(head: object, tables: { readonly [name: string]: readonly unknown[] }): Generator<string> {
  let text = `${JSON.stringify(head).slice(0, -1)},"tables":{`
  let first = true
  for (const [name, rows] of Object.entries(tables)) {
    text += `${first ? '' : ','}\n${JSON.stringify(name)}:[`
    first = false
    for (let i = 0; i < rows.length; i++) {
      text += `${i === 0 ? '' : ','}\n${JSON.stringify(rows[i])}`
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
    text += ']'
  }
  yield `${text}\n}}\n`
}
