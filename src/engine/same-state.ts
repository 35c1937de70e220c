import { refuse } from '../domain/errors.ts'
import type { Engine } from './engine.ts'

/**
 * Checks that the state was not replaced since `generation`. Call it each time work resumes after waiting.
 * @throws RefusalError sandbox_reset
 */
export function requireSameState(engine: Pick<Engine, 'generation'>, generation: number): void {
  if (engine.generation !== generation) throw refuse('sandbox_reset')
}
