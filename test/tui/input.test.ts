import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { readEarlyInput } from '../../src/cli/process/early-input.ts'
import { createInputParser, type Input } from '../../src/tui/keys/input-parser.ts'
import { readInput } from '../../src/tui/keys/read-input.ts'
import { manualSystemClock } from '../time/manual-system-clock.ts'
import { applyActions, createState, NOW, pressKeys, stateWithPayments } from './fixtures.ts'

const parse = (...chunks: readonly string[]): readonly Input[] => {
  const parser = createInputParser()
  return chunks.flatMap((chunk) => parser.feed(chunk))
}

const calls = (effects: readonly { do: string }[]) => effects.filter((effect) => effect.do !== 'load')
const type = (text: string) => ({ type: 'keys', keys: parse(text), now: NOW }) as const

describe('the input parser', () => {
  it.each([
    ['j', ['j']],
    ['\u001b[A', ['up']],
    ['\u001bOB', ['down']],
    ['\u001b[5~', ['page_up']],
    ['\u001b[3~', ['backspace']],
    ['\r', ['enter']],
    ['\t', ['tab']],
    ['\u001b[Z', ['shift+tab']],
    ['\u0003', ['ctrl+c']],
    ['\u007f', ['backspace']],
    ['₽', ['₽']],
    ['\t\t\r', ['tab', 'tab', 'enter']],
    ['jjj', ['j', 'j', 'j']],
    [' j j', [' ', 'j', ' ', 'j']],
    ['Gg*', ['G', 'g', '*']],
    ['\u001b[A\u001b[A', ['up', 'up']],
    ['\u001b[1;5A', ['ctrl+up']],
    ['\u001bp', ['alt+p']],
    ['\u001b\u001b[A', []],
    ['\u001b[I', []],
    ['\u001b]11;rgb:00/00/00\u0007', []],
    ['\u001bOP', []],
    ['\u001b[<0;5;3M', [{ mouse: 'press', column: 4, row: 2 }]],
    ['\u001b[<0;5;3m', []],
    ['\u001b[<65;1;1M', [{ mouse: 'wheel_down', column: 0, row: 0 }]],
  ])('reads %j as %j', (bytes, inputs) => {
    expect(parse(bytes)).toEqual(inputs)
  })

  it('reads several characters at once as a text, which contains its line feeds', () => {
    expect(parse('pay\r')).toEqual([{ text: 'pay\r' }])
    expect(parse('p\r')).toEqual([{ text: 'p\r' }])
    expect(parse('₽5 6\u0015')).toEqual([{ text: '₽5 6' }, 'ctrl+u'])
  })

  it('reads the Tabs around a text as keys, unless the terminal marks a paste', () => {
    expect(parse('\t\tA-1\t5\t')).toEqual(['tab', 'tab', { text: 'A-1\t5' }, 'tab'])
    expect(parse('5\t')).toEqual(['5', 'tab'])
    expect(parse('\u001b[200~\tA-1\t\u001b[201~')).toEqual([{ text: '\tA-1\t' }])
  })

  it('reads a bracketed paste as one text, in any number of chunks', () => {
    const bytes = '\u001b[200~p\ry\u001b[31mq\u001b[201~j'
    const whole = [{ text: 'p\ry\u001b[31mq' }, 'j']
    expect(parse(bytes)).toEqual(whole)
    for (let at = 1; at < bytes.length; at++) expect(parse(bytes.slice(0, at), bytes.slice(at))).toEqual(whole)
  })

  it('joins a sequence whose bytes arrive in two chunks', () => {
    expect(parse('\u001b', '[A')).toEqual(['up'])
    expect(parse('\u001b[', '5~')).toEqual(['page_up'])
  })
})

it('a single Escape is a key after a short time, if no other byte follows', async () => {
  const systemClock = manualSystemClock()
  const stdin = Object.assign(new PassThrough(), { setRawMode() {}, ref() {}, unref() {}, isRaw: true })
  const inputs: Input[] = []
  const stop = readInput(stdin as never, (each) => inputs.push(...each), systemClock)
  stdin.write('\u001b')
  await systemClock.advance(10)
  expect(inputs).toEqual([])
  await systemClock.advance(30)
  expect(inputs).toEqual(['escape'])
  stop()
  stdin.write('j')
  await systemClock.advance(10)
  expect(inputs).toEqual(['escape'])
})

describe('several characters in one read, after the terminal confirmed that it marks pastes', () => {
  const CONFIRMED = '\u001b[?2004;1$y'
  const typed = (text: string) => ({ type: 'keys', keys: parse(CONFIRMED, text), now: NOW }) as const
  const list = stateWithPayments(3)

  it('are keys if they are few, and text if they are many or contain a line feed', () => {
    expect(parse(CONFIRMED, 'jp')).toEqual([{ text: 'jp', typed: true }])
    expect(parse(CONFIRMED, 'j3/ord')).toEqual([{ text: 'j3/ord', typed: true }])
    for (const text of ['p\r', 'hello world']) expect(parse(CONFIRMED, text)).toEqual([{ text }])
    expect(parse(CONFIRMED, '\u001b[200~jp\u001b[201~')).toEqual([{ text: 'jp' }])
    for (const refused of ['\u001b[?2004;0$y', '\u001b[?2004;4$y'])
      expect(parse(refused, 'jp')).toEqual([{ text: 'jp' }])
  })

  it('act like keys, and the text after / or n is typed into the field', () => {
    const moved = applyActions(list, typed('jp')).state
    expect(moved.overlay).toMatchObject({ kind: 'confirm', question: expect.stringMatching(/^Pay p2,/) })
    expect(applyActions(list, typed('/ord_p1')).state.listViews.payments.filter).toBe('ord_p1')
    expect(applyActions(list, typed('n15.50')).state.overlay).toMatchObject({ form: { values: { amount: '15.50' } } })
  })

  it('never confirm a question that one of them opened', () => {
    const { state, effects } = applyActions(list, typed('pyyy'))
    expect(calls(effects)).toEqual([])
    expect(state.overlay).toMatchObject({ kind: 'confirm' })
    expect(calls(applyActions(state, typed('yy')).effects)).toEqual([])
  })
})

describe('keys that were typed before the view was open', () => {
  function open() {
    const modes: boolean[] = []
    const setRawMode = (raw: boolean) => modes.push(raw)
    const stdin = Object.assign(new PassThrough(), { setRawMode, ref() {}, unref() {}, isRaw: true })
    let written = ''
    const stdout = { write: (text: string) => (written += text) }
    return { stdin, stdout, modes, written: () => written }
  }

  it('are collected, and passed on in their order before later ones', async () => {
    for (const next of ['k', undefined]) {
      const terminal = open()
      const early = readEarlyInput(terminal as never, () => {})
      for (const read of ['3', 'jp', '\u001b[200~p\r\u001b[201~']) {
        terminal.stdin.write(read)
        await new Promise(setImmediate)
      }
      const systemClock = manualSystemClock()
      const inputs: Input[] = []
      readInput(terminal.stdin as never, (each) => inputs.push(...each), systemClock, early.take())
      expect(inputs).toEqual([])
      if (next !== undefined) terminal.stdin.write(next)
      await systemClock.advance(1)
      expect(inputs).toEqual(['3', { text: 'jp', typed: true }, { text: 'p\r' }, ...(next === undefined ? [] : [next])])
      early.stop()
      terminal.stdin.write('x')
      await systemClock.advance(1)
      expect(inputs.at(-1)).toBe('x')
    }
  })

  it('interrupt the command by Ctrl-C, and restore the terminal if the view does not open', async () => {
    const terminal = open()
    let interrupts = 0
    const early = readEarlyInput(terminal as never, () => interrupts++)
    terminal.stdin.write('j\u0003')
    await new Promise(setImmediate)
    early.stop()
    expect([interrupts, terminal.modes, terminal.stdin.listenerCount('data')]).toEqual([1, [true, false], 0])
    expect(terminal.written()).toBe('\u001b[?2004h\r\u001b[K\u001b[?2004l')
  })
})

describe('several characters at once', () => {
  const pending = stateWithPayments(1)

  it('have no effect outside fields, and the footer says so', () => {
    const { state, effects } = applyActions(pending, type('pppp'), type('\u001b[200~d\r\u001b[201~'), type('cy'))
    expect(calls(effects)).toEqual([])
    expect(state.overlay).toBeUndefined()
    expect(state.notice?.text).toMatch(/Pasted text has no effect here/)
  })

  it('do not confirm a question, and do not choose a value', () => {
    const asked = applyActions(pending, ...pressKeys('c')).state
    expect(calls(applyActions(asked, type('yy'), type('\u001b[200~y\u001b[201~')).effects)).toEqual([])
    const form = applyActions(pending, ...pressKeys('d')).state
    expect(applyActions(form, type('fff')).state.overlay).toEqual(form.overlay)
  })

  it('are typed into a field, and their line feed does not submit the form', () => {
    const form = applyActions(createState(), ...pressKeys('n')).state
    const { state, effects } = applyActions(form, type('\u001b[200~1500\r\u001b[201~'))
    expect(calls(effects)).toEqual([])
    expect(state.overlay).toMatchObject({ form: { values: { amount: '1500 ' } } })
    expect(calls(applyActions(state, ...pressKeys('enter')).effects)).toMatchObject([
      { do: 'create_payment', body: { amount: 150_000 } },
    ])
  })

  it('are typed into a filter as one line', () => {
    const { state } = applyActions(pending, ...pressKeys('/'), type('ord_\np1'))
    expect(state.listViews.payments.filter).toBe('ord_ p1')
  })
})

it('Alt with a letter is not the letter', () => {
  expect(calls(applyActions(stateWithPayments(1), type('\u001bp'), type('\u001bq')).effects)).toEqual([])
  const field = applyActions(createState(), ...pressKeys('/'), type('\u001bp')).state
  expect(field.listViews.payments.filter).toBe('')
})
