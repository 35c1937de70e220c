// Reports as JUnit XML, for CI.
import XmlBuilder from 'fast-xml-builder'
import { replaceControls } from './characters.ts'

export interface JunitTest {
  readonly name: string
  /** Present if the test failed. */
  readonly failure?: { readonly message: string; readonly type: string; readonly text: string }
  /** Why the test was skipped. */
  readonly skipped?: string
  /** The output of a test that passed. */
  readonly output?: string
}

const XML = new XmlBuilder({
  format: true,
  indentBy: '  ',
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  suppressEmptyNode: true,
})

/**
 * Returns the report of a command as one suite.
 *
 * @param command the name of the command, such as `audit`
 */
export function junitXml(command: string, suite: string, tests: readonly JunitTest[]): string {
  const count = (kind: 'failure' | 'skipped') => tests.filter((test) => test[kind] !== undefined).length
  const counts = {
    '@tests': tests.length,
    '@failures': count('failure'),
    '@errors': 0,
    '@skipped': count('skipped'),
  }
  const xml = XML.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': `psp ${command}`,
      ...counts,
      testsuite: { '@name': suite, ...counts, testcase: tests.map((test) => testCase(command, test)) },
    },
  })
  return replaceControls(xml)
}

function testCase(command: string, { name, failure, skipped, output }: JunitTest) {
  return {
    '@classname': `psp.${command}`,
    '@name': name,
    ...(skipped !== undefined && { skipped: { '@message': skipped } }),
    ...(failure && { failure: { '@message': failure.message, '@type': failure.type, '#text': failure.text } }),
    ...(output !== undefined && { 'system-out': output }),
  }
}
