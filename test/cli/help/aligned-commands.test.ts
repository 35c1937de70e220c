import { expect, test } from 'vitest'
import { psp } from '../helpers.ts'

test.each(['--help', 'store --help', 'payments --help'])(
  '`psp %s` aligns the descriptions of all commands',
  async (line) => {
    const { stdout } = await psp(line)
    const rows = stdout
      .split('\n')
      .flatMap((text) => /^ {2}([a-z][a-z-]*(?: …| \(default\))? +)[A-Z]/.exec(text)?.[1] ?? [])
    expect(rows.length).toBeGreaterThan(4)
    expect(new Set(rows.map(({ length }) => length)).size).toBe(1)
  },
)
