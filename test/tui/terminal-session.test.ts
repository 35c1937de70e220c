// The terminal while the view is open, and while another program uses it.
import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Terminal } from '../../src/tui/screen.ts'
import { openTerminalSession, sizeOf } from '../../src/tui/terminal-session.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'

const ALTERNATE_SCREEN = '\u001b[?1049h'
const MAIN_SCREEN = '\u001b[?1049l'
const MOUSE = '\u001b[?1000h'

function openSession(earlyInput: readonly string[] = []) {
  const written: string[] = []
  const stdin = Object.assign(new EventEmitter(), {
    isRaw: false,
    setEncoding() {},
    setRawMode(isRaw: boolean) {
      stdin.isRaw = isRaw
    },
    resume() {},
    pause() {},
    ref() {},
    unref() {},
  })
  const stdout = { columns: 20, rows: 5, write: (text: string) => written.push(text) }
  const terminal = { stdin, stdout } as unknown as Terminal
  const inputs: unknown[] = []
  const exits = new Set<() => void>()
  const systemClock = manualSystemClock()
  const session = openTerminalSession({
    terminal,
    onInput: (more) => void inputs.push(...more),
    onExit(leave) {
      exits.add(leave)
      return () => void exits.delete(leave)
    },
    systemClock,
    earlyInput,
  })
  const taken = () => written.splice(0).join('')
  const type = (text: string) => {
    inputs.length = 0
    stdin.emit('data', text)
    return [...inputs]
  }
  return { session, stdin, systemClock, inputs, exits, taken, type }
}

test('the view has the screen and the keys until it is closed', () => {
  const { session, stdin, exits, taken, type } = openSession()
  expect(taken()).toContain(ALTERNATE_SCREEN)
  expect([stdin.isRaw, exits.size, type('q')]).toEqual([true, 1, ['q']])
  session.stream.write('a frame')
  expect(taken()).toContain('a frame')
  session.close()
  expect(taken()).toContain(MAIN_SCREEN)
  session.stream.write('another frame')
  expect([stdin.isRaw, exits.size, type('q'), taken()]).toEqual([false, 0, [], ''])
})

test('the keys that were pressed before the view opened are passed on', async () => {
  const { systemClock, inputs } = openSession(['2'])
  expect(inputs).toEqual([])
  await systemClock.advance(0)
  expect(inputs).toEqual(['2'])
})

test.each([true, false])(
  'a program has the terminal while it runs, and then the view repaints it (mouse: %s)',
  async (mouse) => {
    const { session, stdin, taken, type } = openSession()
    session.stream.write('a frame')
    taken()
    const { signal } = new AbortController()
    const result = await session.lendTo(
      async () => {
        expect(taken()).toContain(MAIN_SCREEN)
        session.stream.write('a hidden frame')
        expect([stdin.isRaw, type('q'), taken()]).toEqual([false, [], ''])
        return 'done'
      },
      signal,
      () => mouse,
    )
    expect(result).toBe('done')
    const entered = taken()
    expect([entered.includes(ALTERNATE_SCREEN), entered.includes(MOUSE)]).toEqual([true, mouse])
    session.stream.write('a frame')
    expect([stdin.isRaw, type('q')]).toEqual([true, ['q']])
    expect(taken()).toContain('a frame')
  },
)

test('the view has the terminal again after a program that failed', async () => {
  const { session, stdin, taken } = openSession()
  const error = new Error('The editor did not start.')
  const { signal } = new AbortController()
  await expect(
    session.lendTo(
      () => Promise.reject(error),
      signal,
      () => true,
    ),
  ).rejects.toBe(error)
  expect(taken()).toContain(ALTERNATE_SCREEN)
  expect(stdin.isRaw).toBe(true)
})

test('the terminal remains with the main screen if the view ended while the program ran', async () => {
  const { session, stdin, taken, type } = openSession()
  const ending = new AbortController()
  const program = async () => {
    taken()
    ending.abort()
  }
  await session.lendTo(program, ending.signal, () => true)
  session.stream.write('a frame')
  expect([stdin.isRaw, type('q'), taken()]).toEqual([false, [], ''])
})

test('a terminal without a known size counts as 80 columns and 24 rows', () => {
  const sizeFrom = (columns: number, rows: number) => sizeOf({ stdout: { columns, rows } } as unknown as Terminal)
  expect([sizeFrom(0, 0), sizeFrom(100, 30)]).toEqual([
    { columns: 80, rows: 24 },
    { columns: 100, rows: 30 },
  ])
})
