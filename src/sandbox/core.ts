import { formatDuration } from '../domain/time.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { Randomness } from '../engine/ports.ts'
import { randomnessOf, seededRandomness, withShardSuffix } from '../random.ts'
import { StoreUnavailableError } from '../store/errors.ts'
import type { Store } from '../store/store.ts'
import { reportAndContinue } from '../system-clock/system-clock.ts'
import { initialClock } from '../time/clock.ts'
import { createTimeline } from '../time/timeline.ts'
import type { Timeline } from '../time/timeline-types.ts'
import type { Assembly } from './sandbox-types.ts'

/** The engine and its clock. Each needs the other: due timers run commands, and the clock is stored by a command. */
export interface Core {
  readonly engine: Engine
  readonly timeline: Timeline
  readonly random: Randomness
  /** True: ids and random draws are the same in every run. */
  readonly hasRandomSeed: boolean
  /** Returns the random sequence for a text, with ids in the format of this sandbox. */
  randomOf(text: string): Randomness
  /** Draws a string from which the ids of a seed's objects are derived. */
  drawSeedIds(): string
}

/** @param deliver makes a due webhook attempt */
export function createCore(store: Store, options: Assembly, deliver: (deliveryId: string) => Promise<void>): Core {
  const { systemClock, shard, holdDeliveries = false } = options
  const seed = options.randomSeed === undefined ? undefined : `${options.randomSeed} ${store.lastLine}`
  const [unsharded, receiverTimedRandom] = [randomnessOf(seed), randomnessOf(seed, ' faults')]
  const sharded = (randomness: Randomness) => (shard === undefined ? randomness : withShardSuffix(randomness, shard))
  const random = sharded(unsharded)
  const stored = store.world.get('state', 'clock')
  const timeline: Timeline = createTimeline({
    systemClock,
    clock:
      stored?.id === 'clock'
        ? stored
        : initialClock(options.clock ?? { mode: 'real' }, systemClock.now(), seed !== undefined),
    run(timer) {
      if (timer.kind !== 'deliver') return void engine.execute('run_timer', { timer })
      // A held timer is removed from the queue. Its row is kept for the next start.
      return holdDeliveries ? undefined : deliver(timer.object_id)
    },
    save(clock) {
      engine.execute('set_clock', { clock })
      return engine.written()
    },
    onSetBack: (ms) =>
      options.notice(
        `The time of this machine was set back by ${formatDuration(Math.round(ms / 1000) * 1000)}. The clock of the sandbox never goes back. It continues from its last time.`,
      ),
    onError(error) {
      // The store reports a failed write once, and the step waits until writes succeed again.
      if (error instanceof StoreUnavailableError) options.onInternalError(error)
      else reportAndContinue(options.notice, options.onInternalError)(error)
    },
  })
  const engine = createEngine(store, random, timeline.now, receiverTimedRandom)
  return {
    engine,
    timeline,
    random,
    hasRandomSeed: seed !== undefined,
    randomOf: (text) => sharded(seededRandomness(text)),
    drawSeedIds: () => randomnessOf(seed, ' seed').token(32),
  }
}
