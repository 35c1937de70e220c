// The `psp` lines of README and docs that need no shell, run in this process. test/e2e runs the others in a shell.
import { describe, expect, test } from 'vitest'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { startPsp, waitUntil } from '../cli/helpers.ts'
import { openContext } from './command-context.ts'
import { documentedLines, needsShell, RUNS_UNTIL_STOPPED, WAITS_FOR_EVENT } from './documented-lines.ts'

const LINES = documentedLines().psp.filter(([line]) => !needsShell(line))

/** A clock with shorter timeouts, because an audit waits before it reads a probe. */
const clock = createSystemClock()
const systemClock = { ...clock, setTimeout: (run: () => void, ms: number) => clock.setTimeout(run, ms / 10) }

describe('the documents', () => {
  test.each(LINES)('the line `%s` of %s works', async (line) => {
    const context = await openContext()
    try {
      const words = wordsOf(await context.prepare(line))
      const isAudit = words[1] === 'audit'
      const running = startPsp(words.slice(1), {
        cwd: context.cwd,
        env: context.env,
        ...(isAudit ? { systemClock } : {}),
      })
      const isFollowing = line.startsWith('psp logs')
      if (RUNS_UNTIL_STOPPED.test(line)) {
        const output = waitUntil(() => running.output() + running.errors() !== '')
        if (isFollowing) await context.createPaymentsUntil(output)
        await Promise.race([output, running.ended])
        running.signal('SIGINT')
      } else if (WAITS_FOR_EVENT.test(line)) await context.createPaymentsUntil(running.ended)
      const { code, stdout, stderr } = await running.ended
      expect(code, `${words.join(' ')}\n${stdout}${stderr}`).toBe(
        RUNS_UNTIL_STOPPED.test(line) && isFollowing ? 130 : 0,
      )
    } finally {
      await context.close()
    }
  })

  test('most documented lines need no shell', () => {
    expect(LINES.length).toBeGreaterThan(documentedLines().psp.length / 2)
  })
})

/** Splits a line at spaces outside of quotes, and removes the quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  )
}
