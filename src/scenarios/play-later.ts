import type { Played, Stage } from './player.ts'

/** {@link file://./player.ts}, loaded when the first scenario is posted: a start must not pay for it. */
export async function playScenario(given: unknown, stage: Stage): Promise<Played> {
  const player = await import('./player.ts')
  return await player.playScenario(given, stage)
}
