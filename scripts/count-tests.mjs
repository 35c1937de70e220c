// Prints each failed test with the first lines of its error, then the summary `N passed, N failed`, from vitest's JSON
// report. An empty report means the run was aborted.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const ERROR_LINES = 12

const text = readFileSync(process.argv[2], 'utf8')
if (text === '') {
  process.stderr.write('The test run was aborted before it wrote a report. See the output above.\n')
  process.exitCode = 1
} else {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(text)
  // A file that fails to load has no tests, but counts as a failure.
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
  for (const { name, message } of broken) printFailure(name, [], message)
  for (const { name, assertionResults } of testResults) {
    for (const { status, ancestorTitles, title, failureMessages } of assertionResults) {
      if (status === 'failed') printFailure(name, [...ancestorTitles, title], failureMessages.join('\n'))
    }
  }
  const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
  process.stdout.write(`${numPassedTests} passed, ${numFailedTests + broken.length} failed${skipped}\n`)
}

function printFailure(file, titles, message) {
  const error = message.split('\n').slice(0, ERROR_LINES).join('\n  ')
  process.stdout.write(`failed  ${[relative('.', file), ...titles].join(' > ')}\n  ${error}\n`)
}
