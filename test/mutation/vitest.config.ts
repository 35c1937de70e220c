// The tests that run against each mutant, in one worker. `scripts/mutation.mjs` names their folders or files.
import { defineConfig } from 'vitest/config'

const patternsOf = (variable: string) =>
  (process.env[variable] ?? '')
    .split(' ')
    .filter((place) => place !== '')
    .map((place) => (place.endsWith('.test.ts') ? place : `${place}/**/*.test.{ts,tsx}`))

export default defineConfig({
  test: {
    globalSetup: 'test/run-folder.ts',
    environment: 'node',
    watch: false,
    include: patternsOf('PSP_MUTATION_TESTS'),
    exclude: [
      // Thousands of random requests, or 100,000 timers, take too long for each mutant.
      'test/**/*fuzz.test.ts',
      'test/**/generated-client*.test.ts',
      'test/time/many-timers.test.ts',
      ...patternsOf('PSP_MUTATION_EXCEPT'),
    ],
    testTimeout: 60_000,
    expect: { poll: { timeout: 5_000, interval: 10 } },
    isolate: false,
    pool: 'threads',
  },
})
