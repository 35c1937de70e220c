import { refuse } from '../domain/errors.ts'
import type { SandboxTime } from '../domain/time.ts'
import type { CommandName, CommandResult, Input } from './command.ts'
import { type Commit, replacesState } from './commit.ts'
import { createCommitPublisher } from './commit-publisher.ts'
import { DECISIONS } from './decisions.ts'
import { createOverlayWorld } from './overlay-world.ts'
import type { CommitListener, CommitLog, Context, Randomness } from './ports.ts'
import type { World } from './world.ts'

export interface Engine {
  readonly world: World
  /**
   * Decides the command, stores the commit, publishes it and returns the result. The result must not leave the process
   * before `written()`, because the write may still fail.
   * @throws RefusalError if the specification or the plan rejects the command. Only the use counts of simulator rules
   *   are then stored
   */
  execute<N extends CommandName>(name: N, input: Input<N>): CommandResult<N>
  /**
   * Resolves when every commit so far is written, and with `--durable` synced. `undefined` if nothing waits. Rejects if
   * the write fails. The failed commits are then rolled back.
   */
  written(): Promise<void> | undefined
  /** How many times a reset, import or restore replaced the state in this process. See {@link requireSameState}. */
  readonly generation: number
  /** The last write error. Each error has a new object, so callers can detect a new error by identity. */
  readonly lastWriteError: { readonly error: unknown } | undefined
  /** Subscribes to commits as soon as they are applied, for use inside the process. The write may still fail. */
  onCommit(listener: CommitListener): void
  /** Subscribes to commits once they are written, in order, for output. Commits that were rolled back are omitted. */
  onWritten(listener: CommitListener): void
  /**
   * Returns an engine that decides like this one and discards its commits.
   * @param random for ids that are not kept
   */
  dryRun(random: Randomness): Engine
}

/**
 * Checks that the state was not replaced since `generation`. Call it each time work resumes after waiting.
 * @throws RefusalError sandbox_reset
 */
export function requireSameState(engine: Pick<Engine, 'generation'>, generation: number): void {
  if (engine.generation !== generation) throw refuse('sandbox_reset')
}

/**
 * Commands that depend on the timing of receivers. They use neither commit numbers nor the sequence of ids, so that a
 * seeded run creates the same objects whatever the network does.
 */
const RECEIVER_TIMED_COMMANDS: ReadonlySet<CommandName> = new Set([
  'record_attempt',
  'record_duplicates',
  'postpone_delivery',
  'consume_faults',
])

/**
 * @param now returns sandbox time
 * @param receiverTimedRandom randomness for {@link RECEIVER_TIMED_COMMANDS}; default: `random`
 */
export function createEngine(
  log: CommitLog,
  random: Randomness,
  now: () => SandboxTime,
  receiverTimedRandom = random,
): Engine {
  const listeners: CommitListener[] = []
  const publisher = createCommitPublisher()
  let lastWriteError: Engine['lastWriteError']
  let generation = 0
  let pending: Promise<void> | undefined
  /** The write that `pending` waits for. */
  let pendingWrite: Promise<void> | undefined
  // The number of the last commit that was not receiver-timed. Initially, the number of the last journal line.
  let lastCommitNumber = log.lastLine

  const engine: Engine = {
    world: log.world,
    execute(name, input) {
      const at = now()
      const isReceiverTimed = RECEIVER_TIMED_COMMANDS.has(name)
      // A rollback lowers `log.lastLine`, and the numbers of the lost commits are used again.
      lastCommitNumber = Math.min(lastCommitNumber, log.lastLine)
      const context: Context = isReceiverTimed
        ? { now: at, random: receiverTimedRandom, commitNumber: lastCommitNumber }
        : { now: at, random, commitNumber: lastCommitNumber + 1 }
      const commit = DECISIONS[name](input, log.world, context)
      if (commit.puts.length + commit.deletes.length + commit.clear.length > 0) {
        const stored = append(at, name, commit)
        if (stored !== undefined && stored !== pendingWrite) trackWrite(stored)
        if (!isReceiverTimed) lastCommitNumber++
      }
      if (replacesState(commit)) generation++
      for (const listener of listeners) listener(commit, name, at)
      publisher.publish(pending, commit, name, at)
      if (commit.refusal !== undefined) throw commit.refusal
      return commit.result
    },
    written: () => pending,
    get generation() {
      return generation
    },
    get lastWriteError() {
      return lastWriteError
    },
    onCommit: (listener) => listeners.push(listener),
    onWritten: publisher.subscribe,
    dryRun(throwaway) {
      // A command may depend on the changes of an earlier one.
      const world = createOverlayWorld(log.world, [])
      const dry: Engine = Object.create(engine)
      return Object.assign(dry, {
        world,
        execute<N extends CommandName>(name: N, input: Input<N>): CommandResult<N> {
          const context = { now: now(), random: throwaway, commitNumber: lastCommitNumber + 1 }
          const commit = DECISIONS[name](input, world, context)
          if (commit.refusal !== undefined) throw commit.refusal
          // Routes that replace the state return only counts, so the new state is not needed.
          if (!replacesState(commit)) world.apply(commit)
          return commit.result
        },
        dryRun: () => dry,
        onCommit() {},
        onWritten() {},
      })
    },
  }
  return engine

  function append(at: SandboxTime, name: CommandName, commit: Commit): void | Promise<void> {
    try {
      return log.append(at, name, commit)
    } catch (error) {
      // Checked by name, because the engine may not import the store. Other errors are not write errors.
      if (error instanceof Error && error.name === 'StoreUnavailableError') lastWriteError = { error }
      throw error
    }
  }

  function trackWrite(stored: Promise<void>): void {
    const tracked = stored.finally(() => {
      if (pending === tracked) pending = undefined
    })
    tracked.catch((error: unknown) => {
      lastWriteError = { error }
    })
    pendingWrite = stored
    pending = tracked
  }
}
