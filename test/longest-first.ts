// The order of the test files. The longest begin first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// A worker keeps its modules only for files of one project, so the files of a project follow each other.
const PROJECTS = ['e2e', 'code']

const LONGEST = [
  'test/browser/access.test.ts',
  'test/e2e/documented-commands.test.ts',
  'test/browser/page.test.ts',
  'test/browser/no-script.test.ts',
  'test/e2e/exec.test.ts',
  'test/e2e/ui.test.ts',
  'test/e2e/commands.test.ts',
  'test/e2e/examples.test.ts',
  'test/e2e/endings.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/main-job.test.ts',
  'test/e2e/hosted-page.test.ts',
  'test/store/crash.test.ts',
  'test/contract/cli.test.ts',
  'test/contract/adapters.test.ts',
  'test/cli/tail-wait-logs.test.ts',
  'test/cli/audit/audit.test.ts',
  'test/http/control/fuzz.test.ts',
  'test/tui/screens.test.tsx',
  'test/cli/every-command.test.ts',
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
