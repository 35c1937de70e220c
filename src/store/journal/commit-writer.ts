import { type Deferred, deferred } from '../../domain/promises.ts'
import type { Commit } from '../../engine/commit.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { Ownership } from '../folder/ownership.ts'
import type { Memory } from '../memory/memory.ts'
import { createWriteAvailability, type WriteAvailability } from '../write-availability.ts'
import { GroupFsync } from './group-fsync.ts'
import type { Journal } from './journal.ts'
import { createPendingCommits, type PendingCommits } from './pending-commits.ts'

export interface WriterOptions {
  readonly durable: boolean
  /**
   * Calls back in a later turn of the event loop. If present, the lines of one turn are written together, in
   * parts if more than 1 MiB waits, and `append` returns a promise. If absent, each commit is written before `append` returns. With `durable` it is
   * ignored, because a sync groups commits anyway.
   */
  readonly nextTurn?: ((fn: () => void) => void) | undefined
  readonly ownership: Pick<Ownership, 'lostReason' | 'assertNotLost'>
  notice(text: string): void
  /** See `Store.onRecovery`. */
  onRecovered(): void
}

/** A journal file that has ended, so that a checkpoint may read it. */
export interface SealedFile {
  readonly bytes: number
  /** The number of its last line. */
  readonly maxSeq: number
}

/** The maximum number of bytes that wait for the end of a turn. If there are more, they are written at once. */
const MAX_WAITING_BYTES = 1024 * 1024

/** Applies commits in memory and in the journal: in both, or in neither. */
export class CommitWriter {
  readonly #memory: Memory
  readonly #journal: Journal
  readonly #ownership: WriterOptions['ownership']
  readonly #nextTurn: WriterOptions['nextTurn']
  readonly #pending: PendingCommits
  readonly #availability: WriteAvailability
  readonly #group: GroupFsync | undefined
  #seq: number
  /** Settles when the commits of this turn are written. Absent if none wait. */
  #turn: Deferred<void> | undefined

  /** @param seq the number of the last journal line */
  constructor(memory: Memory, journal: Journal, seq: number, options: WriterOptions) {
    const { durable, nextTurn, ownership, notice, onRecovered } = options
    this.#memory = memory
    this.#journal = journal
    this.#seq = seq
    this.#ownership = ownership
    this.#nextTurn = durable ? undefined : nextTurn
    this.#pending = createPendingCommits(memory, journal)
    this.#availability = createWriteAvailability(ownership, notice, onRecovered)
    this.#group = durable ? new GroupFsync(() => this.#makeDurable()) : undefined
  }

  get seq(): number {
    return this.#seq
  }

  append(at: number, command: string, commit: Commit): void | Promise<void> {
    this.#availability.assertWritable()
    // At a start, psp looks for an adoption only in the first line of each file.
    if (commit.prepared !== undefined) this.#startFile()
    // After a failed write each commit is written at once, so that no client sees a commit that fails.
    const waits = this.#nextTurn !== undefined && !this.#availability.isRetryable
    const previousSeq = this.#seq
    const startSize = this.#journal.size
    const change = this.#memory.apply(commit)
    try {
      const lines = this.#journal.add(previousSeq + 1, at, command, commit, change)
      if (!waits) this.#writeLines()
      if (waits || this.#group !== undefined) this.#pending.add({ previousSeq, startSize, change, commit })
      this.#seq += lines
    } catch (error) {
      this.#memory.undo(change, commit)
      throw error instanceof StoreUnavailableError ? this.#availability.fail(error) : error
    }
    return waits ? this.#waitForTurn() : this.#group?.request()
  }

  /** Resolves when all commits so far are written, or durable if configured. `undefined` if they already are. */
  flushed(): Promise<void> | undefined {
    return this.#turn?.promise ?? (this.#pending.size === 0 ? undefined : this.#group?.request())
  }

  /** Writes the commits that wait for the end of the turn. Never throws: the waiting callers get the error. */
  write(): void {
    const turn = this.#turn
    if (turn === undefined) return
    try {
      this.#writeLines()
      this.#pending.confirm()
      this.#turn = undefined
      turn.resolve()
    } catch (error) {
      this.#rollBack(error)
    }
  }

  /**
   * Ends the journal file.
   * @throws StoreUnavailableError
   */
  async seal(): Promise<SealedFile> {
    this.write()
    this.#availability.assertAvailable()
    try {
      this.#ownership.assertNotLost()
      // This long sync does not block the event loop. The second one, in `rotate`, blocks but is short.
      await this.#journal.datasync()
      // Lines that were added during the sync are in the sealed file too.
      this.write()
      this.#availability.assertAvailable()
      return this.#rotate()
    } catch (error) {
      this.#availability.assertAvailable()
      throw this.#rollBack(error)
    }
  }

  /** Returns why the store is read-only, or `undefined` if it is writable. */
  readOnlyReason(): StoreUnavailableError | undefined {
    return this.#availability.reason
  }

  /** After a failed write, tests whether writes succeed again. Never throws. */
  retry(): void {
    this.#availability.retry(this.#journal.testWrite)
  }

  /** Later commits are rejected. */
  close(): void {
    this.#availability.close()
  }

  #waitForTurn(): Promise<void> {
    if (this.#turn === undefined) {
      this.#turn = deferred()
      // A commit without a waiting caller must not cause an unhandled rejection.
      this.#turn.promise.catch(() => {})
      this.#nextTurn?.(() => this.write())
    }
    const { promise } = this.#turn
    if (this.#journal.size - (this.#pending.startSize ?? 0) > MAX_WAITING_BYTES) this.write()
    return promise
  }

  #writeLines(): void {
    this.#ownership.assertNotLost()
    this.#journal.write()
    this.#availability.endReadOnly()
  }

  async #makeDurable(): Promise<void> {
    this.#availability.assertWritable()
    const maxSeq = this.#seq
    try {
      await this.#journal.datasync()
      this.#ownership.assertNotLost()
    } catch (error) {
      throw this.#rollBack(error)
    }
    this.#pending.confirm(maxSeq)
  }

  /** Makes the next line the first one of its file. */
  #startFile(): void {
    this.write()
    this.#availability.assertAvailable()
    if (this.#journal.size === 0) return
    try {
      this.#ownership.assertNotLost()
      this.#rotate()
    } catch (error) {
      throw this.#rollBack(error)
    }
  }

  #rotate(): SealedFile {
    const sealed = { bytes: this.#journal.size, maxSeq: this.#seq }
    this.#journal.rotate(sealed.maxSeq + 1)
    this.#pending.confirm()
    return sealed
  }

  /** Undoes the pending commits. Their callers get the error. */
  #rollBack(error: unknown): StoreUnavailableError {
    this.#seq = this.#pending.rollBack() ?? this.#seq
    const writeError = this.#availability.fail(error)
    this.#turn?.reject(writeError)
    this.#turn = undefined
    return writeError
  }
}
