import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { skippedReporter } from './test/skipped-reporter.ts'

// Set by .ci/run: the file that takes the counts as JSON. Processes that tests start must not write it.
const report = process.env['PSP_TEST_REPORT']
delete process.env['PSP_TEST_REPORT']

const ALONE = [
  'test/e2e/**/*.test.ts',
  'test/binary/**/*.test.ts',
  'test/browser/**/*.test.ts',
  'test/kits/**/*.test.ts',
]

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
    expect: { poll: { timeout: 120_000, interval: 10 } },
    reporters: ['default', ...(report === undefined ? [] : [json(report)]), skippedReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ALONE,
          // A file finds the modules as the file before it left them: src/ keeps no state outside of what it makes, and a
          // test puts back what it changes. Loading everything anew for each file took longer than most tests.
          isolate: false,
          pool: 'threads',
        },
      },
      {
        // The built CLI and the hosted page: processes, free ports and folders of their own, and a browser.
        extends: true,
        test: {
          name: 'e2e',
          include: ALONE,
          isolate: false,
        },
      },
    ],
  },
})
