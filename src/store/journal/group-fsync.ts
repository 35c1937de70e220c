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
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  async #after(running: Promise<void>): Promise<void> {
    await running.catch(() => {})
    this.#running = this.#next as Promise<void>
    this.#next = undefined
    await this.#sync()
  }
}
