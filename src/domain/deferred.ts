/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(this: void, value: T): void
  reject(this: void, reason: unknown): void
}

/** Same as `Promise.withResolvers`, which Node 20 does not have. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: Deferred<T>['resolve']
  let reject!: Deferred<T>['reject']
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
