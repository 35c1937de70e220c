// The suite of the Java kit.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { QUICK_JAVA, QUICK_JAVAC } from '../e2e/clients/quick-java.ts'
import { runs, TOOLS } from '../e2e/clients/tools.ts'
import { KITS, needs, run, temporary } from './suite.ts'

const KIT = join(KITS, 'java')
const LIBRARIES = join(TOOLS, 'kit-java')

describe.skipIf(!(runs('javac', '-version') && existsSync(LIBRARIES)))(needs('Java', 'javac and mvn'), () => {
  test('the suite of the Java kit passes, with the README and the example shop', async () => {
    const classes = temporary()
    const sources = readdirSync(join(KIT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.java'))
      .map((name) => join('src', name))
    const options = ['-encoding', 'UTF-8', '-Xlint:all', '-Werror', '-d', classes, '-cp', join(LIBRARIES, '*')]
    await run('javac', [...QUICK_JAVAC, ...options, ...sources], KIT)
    const path = `${classes}:${join(LIBRARIES, '*')}`
    const launcher = ['org.junit.platform.console.ConsoleLauncher', 'execute', '--scan-classpath', classes]
    const all = await run('java', [...QUICK_JAVA, '-cp', path, ...launcher, '--details', 'summary'], KIT)
    expect(all).toMatch(/\b0 tests skipped/)
    expect(all).toMatch(/\b0 tests failed/)
  })
})
