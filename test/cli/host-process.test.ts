import { expect, test } from 'vitest'
import { nodeHost } from '../../src/cli/host-process.ts'

test.skipIf(process.platform === 'win32')(
  'the host reports the process that started psp, and its present parent',
  () => {
    const { parent, pid, cwd } = nodeHost(5)
    expect([parent?.first, parent?.now(), pid, cwd]).toEqual([5, process.ppid, process.pid, process.cwd()])
  },
)
