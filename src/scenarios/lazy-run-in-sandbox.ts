import type { SandboxScenarioContext, SandboxScenarioReport } from './run-in-sandbox.ts'

/** Loads {@link file://./run-in-sandbox.ts} for the first scenario, so that it does not slow down the start. */
export async function lazyRunInSandbox(
  given: unknown,
  context: SandboxScenarioContext,
): Promise<SandboxScenarioReport> {
  const runner = await import('./run-in-sandbox.ts')
  return await runner.runInSandbox(given, context)
}
