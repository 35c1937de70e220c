import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTempDir } from '../../../src/cli/local/temp-dir.ts'
import { createTestDir } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>
beforeEach(() => {
  folder = createTestDir()
  vi.stubEnv('TMPDIR', folder.path)
})
afterEach(() => {
  vi.unstubAllEnvs()
  folder.remove()
})

/** A process that has ended. */
const ended = execa(process.execPath, ['--version'])
await ended
const dead = ended.pid

test.skipIf(process.platform === 'win32')(
  'a command that creates a temporary directory removes the directories of killed commands, and nothing else',
  () => {
    const stay = [
      `psp-exec-${process.pid}-aaaaaa`,
      `psp-dry-run-${dead}-aaaaaa`,
      `psp-exec-${dead}-notes`,
      'psp-exec-aaaaaa',
      `other-${dead}-aaaaaa`,
    ]
    for (const name of [...stay, `psp-exec-${dead}-aaaaaa`, `psp-exec-${dead}-bbbbbb`])
      mkdirSync(join(folder.path, name))
    writeFileSync(join(folder.path, `psp-exec-${dead}-aaaaaa`, 'waits.ndjson'), '{}')
    writeFileSync(join(folder.path, `psp-exec-${dead}-file12`), 'a file')
    symlinkSync(join(folder.path, stay[0] ?? ''), join(folder.path, `psp-exec-${dead}-link12`))
    const own = createTempDir('exec', process.pid)
    const left = [...stay, `psp-exec-${dead}-file12`, `psp-exec-${dead}-link12`]
    expect(
      readdirSync(folder.path)
        .filter((name) => join(folder.path, name) !== own.path)
        .sort(),
    ).toEqual(left.sort())
    own.remove()
    expect(readdirSync(folder.path).sort()).toEqual(left)
  },
)
