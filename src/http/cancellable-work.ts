// Not in app-env.ts, because the MSW handlers import that file and would then contain the engine.
import { type Engine, requireSameState } from '../engine/engine.ts'
import type { CancellableWork, Exchange } from './app-env.ts'

/**
 * Returns the work that a request is part of, or starts new work. Called when the request starts.
 * @throws RefusalError sandbox_reset if the work began with an earlier state
 */
export function startWork(c: Exchange, engine: Pick<Engine, 'generation'>): CancellableWork {
  const { work } = c.env ?? {}
  if (work !== undefined) requireSameState(engine, work.generation)
  return work ?? { generation: engine.generation }
}
