import { formatDuration } from '../domain/time.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { Randomness } from '../engine/ports.ts'
import { EXPIRY_TIMERS } from '../engine/tables.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { reportAndContinue } from '../system-clock/catch-timer-errors.ts'
import { initialClock } from '../time/clock.ts'
import { randomnessOf, seededRandomness } from '../time/random.ts'
import { withShardSuffix } from '../time/sharded-ids.ts'
import { createTimeline } from '../time/timeline.ts'
import type { Timeline } from '../time/timeline-types.ts'
import type { Assembly } from './sandbox-types.ts'

/** Decisions and the time they are made at. Each needs the other: a due timer is a command, a stored clock too. */
export interface Core {
  readonly engine: Engine
  readonly timeline: Timeline
  readonly random: Randomness
  /** Ids and draws are the same on every run. */
  readonly repeatable: boolean
  /** The sequence that follows from a text, in the form of this sandbox's ids. */
  randomOf(text: string): Randomness
  /** Draws what the ids of a seed follow from. */
  drawSeedIds(): string
}

/** @param deliver makes the webhook attempt that is due */
export function createCore(store: Store, options: Assembly, deliver: (deliveryId: string) => Promise<void>): Core {
  const { systemClock, shard, holdDeliveries = false } = options
  const seed = options.randomSeed === undefined ? undefined : `${options.randomSeed} ${store.seq}`
  const [drawn, chance] = [randomnessOf(seed), randomnessOf(seed, ' faults')]
  const sharded = (one: Randomness) => (shard === undefined ? one : withShardSuffix(one, shard))
  const random = sharded(drawn)
  const stored = store.world.get('state', 'clock')
  const timeline: Timeline = createTimeline({
    systemClock,
    clock:
      stored?.id === 'clock'
        ? stored
        : initialClock(options.clock ?? { mode: 'real' }, systemClock.now(), seed !== undefined),
    run(timer) {
      if (timer.kind !== 'deliver') return void engine.execute('run_timer', { timer })
      // A held timer leaves the queue; its row stays for the next start.
      return holdDeliveries ? undefined : deliver(timer.object_id)
    },
    isExpiry: (kind) => EXPIRY_TIMERS.includes(kind),
    save(clock) {
      engine.execute('set_clock', { clock })
      return engine.written()
    },
    onSetBack: (ms) =>
      options.notice(
        `The time of this machine was set back by ${formatDuration(Math.round(ms / 1000) * 1000)}. The sandbox's clock never goes back: it goes on from where it was, until the machine's is set ahead again.`,
      ),
    onError: (error) =>
      (isStorageError(error) ? options.onInternalError : reportAndContinue(options.notice, options.onInternalError))(
        error,
      ),
  })
  const engine = createEngine(store, random, timeline.now, chance)
  return {
    engine,
    timeline,
    random,
    repeatable: seed !== undefined,
    randomOf: (text) => sharded(seededRandomness(text)),
    drawSeedIds: () => randomnessOf(seed, ' seed').token(32),
  }
}

/** The store itself told of it, once; the step waits until the disk takes writes again. */
function isStorageError(error: unknown): boolean {
  return error instanceof StoreUnavailableError
}
