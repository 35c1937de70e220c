// The order of the test files. The longest begin first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A worker keeps its modules only for files of one project, so the files of a project follow each other.
const PROJECTS = ['tools', 'e2e', 'code']

const LONGEST = [
  'test/e2e/schemathesis.test.ts',
  'test/kits/guides.test.ts',
  'test/e2e/generated-clients.test.ts',
  'test/browser/page.test.ts',
  'test/browser/access.test.ts',
  'test/browser/no-script.test.ts',
  'test/browser/dashboard/access.test.ts',
  'test/e2e/data-directory.test.ts',
  'test/e2e/ui.test.ts',
  'test/e2e/examples.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/large-state.test.ts',
  'test/e2e/client-examples.test.ts',
  'test/kits/python.test.ts',
  'test/kits/java.test.ts',
  'test/e2e/documented-commands.test.ts',
  'test/cli/audit/explore.test.ts',
  'test/explore/shops.test.ts',
  'test/store/crash.test.ts',
  'test/docs/documented-commands.test.ts',
  'test/recordings/compare.test.ts',
  'test/contract/adapters.test.ts',
  'test/contract/cli.test.ts',
  'test/cli/audit/audit-in-ci.test.ts',
  'test/cli/audit/audit-orders.test.ts',
  'test/cli/audit/audit.test.ts',
  'test/cli/audit/explore-interrupted.test.ts',
  'test/cli/tail-wait-logs.test.ts',
  'test/frameworks/raw-body.test.ts',
  'test/explore/planted-bugs.test.ts',
  'test/cli/every-command.test.ts',
  'test/explore/correct-handlers.test.ts',
  'test/http/control/fuzz.test.ts',
  'test/tui/screens.test.tsx',
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
