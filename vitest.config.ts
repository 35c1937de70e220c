import { defineConfig } from 'vitest/config'
import { skippedReporter } from './test/skipped-reporter.ts'

// Set by .ci/run: the file that takes the counts as JSON. Processes that tests start must not write it.
const report = process.env['PSP_TEST_REPORT']
delete process.env['PSP_TEST_REPORT']

const ALONE = ['test/e2e/**/*.test.ts', 'test/browser/**/*.test.ts']

const json = (outputFile: string): [string, Record<string, unknown>] => ['json', { outputFile }]

export default defineConfig({
  test: {
    environment: 'node',
    watch: false,
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    reporters: ['default', ...(report === undefined ? [] : [json(report)]), skippedReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'code',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: ALONE,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The built CLI and the hosted page: processes, free ports and folders of their own, and a browser.
        extends: true,
        test: {
          name: 'e2e',
          include: ALONE,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
