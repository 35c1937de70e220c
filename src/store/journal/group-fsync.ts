// Used by `commit-writer.ts` with `--durable`: waiting commits share one fsync.

/** Runs one sync at a time. All requests during a sync, or in one turn of the event loop, share the next sync. */
export class GroupFsync {
  readonly #sync: () => Promise<void>
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(sync: () => Promise<void>) {
    this.#sync = sync
  }

  /** Resolves once a sync that began after this call is done. */
  request(): Promise<void> {
    this.#next ??= this.#running.catch(() => {}).then(() => this.#startNext())
    return this.#next
  }

  /** A request after this call gets the next sync, because the one that starts now may miss its commit. */
  #startNext(): Promise<void> {
    this.#next = undefined
    const sync = this.#sync()
    this.#running = sync
    return sync
  }
}
