/** Jobs that run one after the other, in the order they were asked for. */
export interface SerialQueue {
  /** Jobs that wait or run. */
  readonly length: number
  /** @returns what the job returns; a job that throws does not stop the next */
  add<R>(job: () => Promise<R>): Promise<R>
}

/** @param done called after each job, before its caller goes on */
export function createSerialQueue(done: () => void): SerialQueue {
  let length = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    get length() {
      return length
    },
    add(job) {
      length++
      const result = last.then(job).finally(() => {
        length--
        done()
      })
      last = result.catch(() => undefined)
      return result
    },
  }
}
