// The tests that run against each mutant, in one worker. `scripts/mutation.mjs` names their folders or files.
import { defineConfig } from 'vitest/config'

const places = (process.env['PSP_MUTATION_TESTS'] ?? '').split(' ')

export default defineConfig({
  test: {
    globalSetup: 'test/run-folder.ts',
    environment: 'node',
    watch: false,
    include: places.map((place) => (place.endsWith('.test.ts') ? place : `${place}/**/*.test.{ts,tsx}`)),
    // Thousands of random requests, or 100,000 timers, take too long for each mutant.
    exclude: ['test/**/*fuzz.test.ts', 'test/**/generated-client*.test.ts', 'test/time/many-timers.test.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 5_000, interval: 10 } },
    isolate: false,
    pool: 'threads',
  },
})
