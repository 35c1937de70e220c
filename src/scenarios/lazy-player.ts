import type { PlayedScenario, ScenarioContext } from './player.ts'

/** Loads {@link file://./player.ts} for the first scenario, so that it does not slow down the start. */
export async function playScenario(given: unknown, context: ScenarioContext): Promise<PlayedScenario> {
  const player = await import('./player.ts')
  return await player.playScenario(given, context)
}
