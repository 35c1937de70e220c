// Prints the summary of a test run, `N passed, N failed`, from vitest's JSON report. An empty report means the run was aborted.
import { readFileSync } from 'node:fs'

const text = readFileSync(process.argv[2], 'utf8')
if (text === '') {
  process.stderr.write('The test run was aborted before it wrote a report. See the output above.\n')
  process.exitCode = 1
} else {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(text)
  // A file that fails to load has no tests, but counts as a failure.
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
  process.stdout.write(`${numPassedTests} passed, ${numFailedTests + broken} failed${skipped}\n`)
}
