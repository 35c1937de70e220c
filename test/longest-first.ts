// The order of the files: those that take longest begin first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONGEST = [
  'test/e2e/documented-commands.test.ts',
  'test/browser/access.test.ts',
  'test/browser/page.test.ts',
  'test/contract/doors.test.ts',
  'test/contract/cli.test.ts',
  'test/browser/no-script.test.ts',
  'test/e2e/ui.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/hosted-page.test.ts',
  'test/e2e/examples.test.ts',
  'test/e2e/commands.test.ts',
  'test/store/crash.test.ts',
]

const rank = ({ moduleId }: TestSpecification) =>
  LONGEST.findIndex((path) => moduleId.replaceAll('\\', '/').endsWith(`/${path}`))

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    if (this.ctx.config.sequence.shuffle !== false) return sorted
    const long = sorted.filter((file) => rank(file) >= 0).sort((a, b) => rank(a) - rank(b))
    return [...long, ...sorted.filter((file) => rank(file) < 0)]
  }
}
