/** `PSP_TEST_RUNS=3` runs the random tests of crashes three times as often, as `.ci/run` does. Each run has other scenarios. */
const FACTOR = Number(process.env['PSP_TEST_RUNS'] ?? 1)

/** Returns the number of runs of a random test. */
export const randomRuns = (count: number): number => count * FACTOR
