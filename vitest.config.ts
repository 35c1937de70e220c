import { defineConfig } from 'vitest/config'

// Set by .ci/run: the file that takes the counts as JSON. Processes that tests start must not write it.
const report = process.env['PSP_TEST_REPORT']
delete process.env['PSP_TEST_REPORT']

const ALONE = ['test/e2e/**/*.test.ts', 'test/browser/**/*.test.ts']

export default defineConfig({
  test: {
    environment: 'node',
    watch: false,
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
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
        // The built CLI and the hosted page: processes, ports and a browser, one file at a time.
        extends: true,
        test: {
          name: 'e2e',
          include: ALONE,
          maxWorkers: 1,
          fileParallelism: false,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
