// Prints the closing line of a test run, `N passed, N failed`, from vitest's JSON report. No report: the run broke off.
import { readFileSync } from 'node:fs'

const text = readFileSync(process.argv[2], 'utf8')
if (text === '') {
  process.stderr.write('The test run left no report: see above where it broke off.\n')
  process.exitCode = 1
} else {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(text)
  // A file that does not load has no tests to count, but it is a failure.
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
  process.stdout.write(`${numPassedTests} passed, ${numFailedTests + broken} failed${skipped}\n`)
}
