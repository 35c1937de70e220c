// Inputs that never end or never begin.
import { appendFileSync, closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openInput, readInput } from '../../../src/cli/input/read-input.ts'
import { countRetained } from '../../count-retained.ts'
import { createTestDir, psp, startPsp } from '../helpers.ts'

let folder: ReturnType<typeof createTestDir>

beforeEach(() => {
  folder = createTestDir()
})
afterEach(() => folder.remove())

function reader(stdin: AsyncIterable<Uint8Array> = endless()) {
  const ended = new AbortController()
  const session = { host: { cwd: folder.path, paths: { resolve: join }, stdin }, signals: { ended: ended.signal } }
  return {
    ended,
    read: (path: string, most?: number) => readInput(path, session as never, most),
    open: (path: string) => openInput(path, session as never),
  }
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    yield Buffer.alloc(1024)
  }
}

/** Opens the other end of the pipe, so that the pending open ends with the test. */
function release(pipe: string): void {
  closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
}

describe('an input', () => {
  test('an input is read whole up to its limit', async () => {
    writeFileSync(join(folder.path, 'a'), Buffer.alloc(200_000, 7))
    const { read } = reader()
    expect((await read('a', 200_000)).equals(Buffer.alloc(200_000, 7))).toBe(true)
    await expect(read('a', 199_999)).rejects.toThrow('a is longer than')
    await expect(read('b')).rejects.toThrow('b cannot be read: there is no such file or folder.')
  })

  test('an input reports that its file was changed after it was opened', async () => {
    const path = join(folder.path, 'a')
    writeFileSync(path, Buffer.alloc(200_000))
    const { open } = reader()
    const { pieces, isChanged } = open('a')
    for await (const _ of pieces) expect(isChanged()).toBe(false)
    appendFileSync(path, 'more')
    expect(isChanged()).toBe(true)
    const other = open('a')
    rmSync(path)
    expect([other.isChanged(), open('-').isChanged()]).toEqual([true, false])
    for await (const _ of other.pieces) void _
  })

  test('an endless input is rejected at the limit', async () => {
    const { read } = reader()
    await expect(read('-', 1024 * 1024)).rejects.toThrow('stdin is longer than 1 MiB.')
    if (process.platform !== 'win32')
      await expect(read('../../dev/zero', 1024 * 1024)).rejects.toThrow(/is longer than 1 MiB|no such file/)
  })

  test('an input retains none of the pieces that its reader has released', async () => {
    const pieces: WeakRef<object>[] = []
    const open = reader().open('-').pieces[Symbol.asyncIterator]()
    for (let n = 0; n < 100; n++) pieces.push(new WeakRef((await open.next()).value))
    expect(await countRetained(pieces)).toBeLessThan(5)
    await open.return?.()
  })

  test('reading an input stops at a signal', async () => {
    const { read, ended } = reader()
    const end = expect(read('-')).rejects.toThrow('enough')
    ended.abort(new Error('enough'))
    await end
  })
})

describe.skipIf(process.platform === 'win32')('a pipe without a writer', () => {
  test.each([
    ['sign --secret s PIPE', 130],
    ['store import PIPE', 130],
    ['serve --ephemeral --port 0 --seed PIPE', 0],
  ])('`psp %s` ends at Ctrl-C', async (line, code) => {
    const pipe = join(folder.path, 'pipe')
    await execa('mkfifo', [pipe])
    const running = startPsp(line.replace('PIPE', pipe).split(' '), { cwd: folder.path })
    running.signal('SIGINT')
    expect((await running.ended).code).toBe(code)
    release(pipe)
  })

  test('a pipe is refused as psp.config.json', async () => {
    await execa('mkfifo', [join(folder.path, 'psp.config.json')])
    const { code, stderr } = await psp('config', { cwd: folder.path })
    expect(code).toBe(2)
    expect(stderr).toContain('psp.config.json cannot be read: it is a pipe or a device.')
  })
})
