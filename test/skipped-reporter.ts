// Prints at the end of a run which tests were skipped, because a skipped test looks like a passed one.
import type { Reporter, TestModule, TestSuite } from 'vitest/node'

/** One line per suite: `skipped  23 tests: the hosted page in a browser (no browser at …)`. */
export function skippedReporter(): Reporter {
  let narrowed = false
  return {
    onInit({ config }) {
      // With -t most tests are skipped on purpose.
      narrowed = config.testNamePattern !== undefined
    },
    onTestRunEnd(modules) {
      if (narrowed) return
      for (const [suite, count] of countSkipped(modules)) {
        process.stderr.write(`skipped  ${count} ${count === 1 ? 'test' : 'tests'}: ${suite}\n`)
      }
    },
  }
}

function countSkipped(modules: readonly TestModule[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      const name = test.parent.type === 'suite' ? outermost(test.parent).name : module.relativeModuleId
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  return counts
}

function outermost(suite: TestSuite): TestSuite {
  return suite.parent.type === 'suite' ? outermost(suite.parent) : suite
}
