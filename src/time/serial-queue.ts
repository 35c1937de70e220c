/** Runs jobs one at a time, in the order in which they were added. */
export interface SerialQueue {
  /** The number of jobs that wait or run. */
  readonly length: number
  /** Returns the result of the job. If a job throws, the next one still runs. */
  add<R>(job: () => Promise<R>): Promise<R>
}

/** @param done called after each job, before its caller continues */
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
