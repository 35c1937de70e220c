// Handles SIGINT (on Windows also Ctrl+Break), SIGTERM and SIGHUP. The first signal asks the command to end. The second
// ends the process at once, with two exceptions. npm sends each SIGINT twice, so a second signal within DEBOUNCE is
// ignored. A closed terminal sends SIGHUP twice, so a later SIGHUP is ignored.
import type { SystemClock } from '../../system-clock/system-clock.ts'
import { EXIT_CODES } from '../failure.ts'

/** Signals within this many ms after the first one are ignored. */
const DEBOUNCE = 100

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface SignalSource {
  on(name: SignalName | 'SIGBREAK', listener: () => void): unknown
  off(name: SignalName | 'SIGBREAK', listener: () => void): unknown
}

export interface Signals {
  /** Aborted at the first signal. */
  readonly ended: AbortSignal
  /** Returns the first signal; `undefined` before it. */
  name(): SignalName | undefined
  /** From now on, `onFirst` is called instead of aborting `ended`, and `onLater` instead of ending the process. */
  intercept(onFirst: (name: SignalName) => void, onLater?: (name: SignalName) => void): void
  /** Acts as if the signal was received. */
  raise(name: SignalName): void
  /** Ends without a signal, for example when the reader of stdout has exited. */
  end(): void
  close(): void
}

export function watchSignals(
  source: SignalSource,
  systemClock: SystemClock,
  exitAtOnce: (code: number) => void,
): Signals {
  const controller = new AbortController()
  let first: { readonly name: SignalName; readonly at: number } | undefined
  let onFirst = (name: SignalName) => controller.abort(new InterruptedError(name))
  let onLater = (name: SignalName) => exitAtOnce(signalCode(name))

  function on(name: SignalName): void {
    const now = systemClock.monotonic()
    if (first === undefined) {
      first = { name, at: now }
      onFirst(name)
    } else if (name !== 'SIGHUP' && now - first.at >= DEBOUNCE) onLater(name)
  }

  const interrupt = () => on('SIGINT')
  const terminate = () => on('SIGTERM')
  const hangUp = () => on('SIGHUP')
  source.on('SIGINT', interrupt)
  // Only Windows has this signal.
  source.on('SIGBREAK', interrupt)
  source.on('SIGTERM', terminate)
  source.on('SIGHUP', hangUp)
  return {
    ended: controller.signal,
    name: () => first?.name,
    intercept(handleFirst, handleLater = onLater) {
      onFirst = handleFirst
      onLater = handleLater
    },
    raise: on,
    end: () => controller.abort(new InterruptedError('SIGTERM')),
    close() {
      source.off('SIGINT', interrupt)
      source.off('SIGBREAK', interrupt)
      source.off('SIGTERM', terminate)
      source.off('SIGHUP', hangUp)
    },
  }
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
  readonly signal: SignalName
  constructor(signal: SignalName) {
    super(`ended by ${signal}`)
    this.signal = signal
  }
}

export function signalCode(name: SignalName): number {
  return CODES[name]
}

/** Returns the exit code of a command that a signal has ended before it was done. */
export function interruptedCode({ name }: Pick<Signals, 'name'>): number {
  return signalCode(name() ?? 'SIGINT')
}

const CODES: Readonly<Record<SignalName, number>> = {
  SIGINT: EXIT_CODES.interrupted,
  SIGTERM: EXIT_CODES.terminated,
  SIGHUP: EXIT_CODES.hung_up,
}

/** The exit code of a command whose normal end is a signal. SIGHUP, from a closed terminal, is not a normal end. */
export function endCode({ name }: Pick<Signals, 'name'>): number {
  return name() === 'SIGHUP' ? EXIT_CODES.hung_up : EXIT_CODES.done
}

/** At shutdown, open requests, attempts and forwarded webhooks have this many ms to finish. */
export const DRAIN_TIME_LIMIT = 2000
