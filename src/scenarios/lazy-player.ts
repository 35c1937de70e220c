import type { PlayedScenario, ScenarioContext } from './player.ts'

/** {@link file://./player.ts}, loaded when the first scenario is posted: a start must not pay for it. */
export async function playScenario(given: unknown, stage: ScenarioContext): Promise<PlayedScenario> {
  const player = await import('./player.ts')
  return await player.playScenario(given, stage)
}
