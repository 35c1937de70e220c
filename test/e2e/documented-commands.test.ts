// The lines of README and docs that need a shell. test/docs runs the other `psp` lines in process.
import { readFileSync } from 'node:fs'
import { execa, execaSync } from 'execa'
import { describe, expect, test } from 'vitest'
import { openContext } from '../docs/command-context.ts'
import { documentedLines, needsShell, RUNS_UNTIL_STOPPED } from '../docs/documented-lines.ts'

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const { psp, others } = documentedLines()
const LINES = psp.filter(([line]) => needsShell(line))
const NEEDS_JQ = /\| jq /
const HAS_JQ = execaSync('jq', ['--version'], { reject: false }).exitCode === 0

describe('the documents', () => {
  test.concurrent.each(LINES.filter(([line]) => !NEEDS_JQ.test(line)))('the line `%s` of %s works', run)

  test.each(others)('the line `%s` of %s names programs and scripts that exist', (line) => {
    for (const [, name = ''] of line.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(scripts)).toContain(name)
    expect(line).toMatch(
      /^(npm (ci|i|run|test|pack|view)|npx (vitest|psp|openapi-typescript|@hey-api\/openapi-ts)|docker |sudo install |sudo dpkg |curl |nginx |cd |mkdir |export |set -a; |node server\.js|pip install |openapi-python-client |go install |oapi-codegen |java -jar )/,
    )
  })
})

describe.skipIf(!HAS_JQ)('documents with jq (skipped: jq is not installed)', () => {
  test.concurrent.each(LINES.filter(([line]) => NEEDS_JQ.test(line)))('the line `%s` of %s works', run)
})

async function run(line: string): Promise<void> {
  const context = await openContext()
  try {
    const prepared = await context.prepare(line)
    const isStopped = RUNS_UNTIL_STOPPED.test(line)
    // Ctrl-C sends SIGINT to the whole process group, so the line runs in its own group.
    const command = isStopped ? `trap : INT; ${prepared}; exit "\${PIPESTATUS[0]}"` : prepared
    const child = execa('bash', ['-c', command], {
      cwd: context.cwd,
      env: context.env,
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      all: true,
      timeout: 150_000,
      detached: isStopped,
    })
    if (isStopped) {
      const output = new Promise((resolve) => child.all?.once('data', resolve))
      if (line.startsWith('psp logs')) await context.createPaymentsUntil(output)
      await output
      process.kill(-Number(child.pid), 'SIGINT')
    }
    const { exitCode, all } = await child
    expect(exitCode, `${prepared}\n${all}`).toBe(isStopped && line.startsWith('psp logs') ? 130 : 0)
  } finally {
    await context.close()
  }
}
