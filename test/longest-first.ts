// The order of the test files. The longest begin first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A worker keeps its modules only for files of one project, so the files of a project follow each other.
const PROJECTS = ['e2e', 'code']

const LONGEST = [
  'test/kits/guides.test.ts',
  'test/e2e/schemathesis.test.ts',
  'test/e2e/generated-clients.test.ts',
  'test/browser/access.test.ts',
  'test/e2e/package.test.ts',
  'test/browser/page.test.ts',
  'test/e2e/examples.test.ts',
  'test/e2e/ui.test.ts',
  'test/e2e/documented-commands.test.ts',
  'test/browser/no-script.test.ts',
  'test/store/crash.test.ts',
  'test/contract/cli.test.ts',
  'test/contract/adapters.test.ts',
  'test/cli/every-command.test.ts',
  'test/cli/payments.test.ts',
  'test/cli/audit/audit-orders.test.ts',
  'test/http/control/fuzz.test.ts',
  'test/tui/screens.test.tsx',
  'test/docs/documented-commands.test.ts',
]

function rank({ moduleId, project }: TestSpecification): number {
  const path = moduleId.replaceAll('\\', '/')
  const place = LONGEST.findIndex((end) => path.endsWith(`/${end}`))
  return PROJECTS.indexOf(project.name) * 1000 + (place < 0 ? LONGEST.length : place)
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return this.ctx.config.sequence.shuffle === true ? sorted : sorted.sort((a, b) => rank(a) - rank(b))
  }
}
