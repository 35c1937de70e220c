import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { skippedReporter } from './test/skipped-reporter.ts'

// Set by .ci/run: the file that takes the counts as JSON. Processes that tests start must not write it.
const report = process.env['PSP_TEST_REPORT']
delete process.env['PSP_TEST_REPORT']

/** Tests with other programs than Node: a browser, tmux, nginx, shells, Schemathesis, and handlers in other languages. */
const WITH_TOOLS = [
  'test/browser/**/*.test.ts',
  'test/frameworks/**/*.test.ts',
  'test/kits/**/*.test.ts',
  'test/explore/shops.test.ts',
  ...['client-examples', 'completion', 'example-schemas', 'generated-clients', 'schemathesis', 'shards', 'ui'].map(
    (name) => `test/e2e/${name}.test.ts`,
  ),
]

const WITH_CLI = ['test/e2e/**/*.test.ts', 'test/binary/**/*.test.ts']

/** The time limit of `expect.poll` in ms. It never decides about a test that passes. */
const TIMEOUT = 120_000

const json = (outputFile: string): [string, Record<string, unknown>] => ['json', { outputFile }]

export default defineConfig({
  test: {
    globalSetup: 'test/run-folder.ts',
    environment: 'node',
    watch: false,
    // Two more than a small machine has cores: tests that start programs wait for them.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Long enough for a machine with ten times as much to do: no test is to fail because it is slow.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: TIMEOUT, interval: 10 } },
    reporters: ['default', ...(report === undefined ? [] : [json(report)]), skippedReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...WITH_CLI, ...WITH_TOOLS],
          // A file finds the modules as the file before it left them: src/ keeps no state outside of what it makes, and a
          // test puts back what it changes. Loading everything anew for each file took longer than most tests.
          isolate: false,
          pool: 'threads',
        },
      },
      {
        // The built CLI: processes, with their own free ports and folders.
        extends: true,
        test: { name: 'e2e', include: WITH_CLI, exclude: WITH_TOOLS, isolate: false },
      },
      {
        // `npm test` leaves these out, so that it takes the same time on each machine. `npm run test:all` includes them.
        extends: true,
        test: {
          name: 'tools',
          include: WITH_TOOLS,
          isolate: false,
          // Each poll evaluates a script in a browser, or sends a request to another program that is still starting.
          expect: { poll: { timeout: TIMEOUT, interval: 50 } },
        },
      },
    ],
  },
})
