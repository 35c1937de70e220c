// biome-ignore-all lint/suspicious/noControlCharactersInRegex: terminals send control characters
// Parses the input of a terminal into keys by name, text that was received at once, and mouse events.

/** The name of a key, such as `enter`, `p` or `alt+p`. */
export type KeyName = string

/** Characters that were received at once, such as a paste. Only text fields accept them, unless they were typed. */
export interface TextChunk {
  readonly text: string
  /**
   * True for a few characters that count as typed keys: the terminal marks pastes and did not mark these, or they
   * arrived before the view opened.
   */
  readonly typed?: true
}

/** Columns and rows start at 0. */
export interface MouseInput {
  readonly mouse: 'press' | 'wheel_up' | 'wheel_down'
  readonly column: number
  readonly row: number
}

export type Input = KeyName | TextChunk | MouseInput

export interface InputParser {
  /**
   * Returns the complete inputs. The beginning of a sequence is kept for the next chunk.
   * @param isEarly true for input from before the view opened. Typed keys were collected and are read at once
   */
  feed(chunk: string, isEarly?: boolean): readonly Input[]
  /** Called if no more input arrives. Returns Escape if only its character was kept, and drops other beginnings. */
  flush(): readonly Input[]
  readonly isPending: boolean
}

const PASTE_START = '\u001b[200~'
const PASTE_END = '\u001b[201~'

/** The response of a terminal that marks pastes: the mode 2004 is on (1) or permanently on (3). */
const MARKS_PASTES = /^\u001b\[\?2004;[13]\$y$/

/** More characters in one read are a paste even without marks, unless all of them are `HARMLESS`. */
const MAX_TYPED = 8

/** The maximum length of an incomplete sequence. A longer sequence is dropped, unless it is a paste. */
const MAX_SEQUENCE = 64

export function createInputParser(): InputParser {
  let pending = ''
  let pasted: string | undefined
  let marksPastes = false

  function feed(chunk: string, isEarly = false): readonly Input[] {
    const inputs: Input[] = []
    let rest = pending + chunk
    pending = ''
    while (rest !== '') {
      if (pasted !== undefined) rest = continuePaste(rest, inputs)
      else if (rest.startsWith(PASTE_START)) {
        pasted = ''
        rest = rest.slice(PASTE_START.length)
      } else if (rest.startsWith('\u001b')) {
        const sequence = takeSequence(rest)
        if (sequence === undefined) {
          pending = rest.length <= MAX_SEQUENCE ? rest : ''
          break
        }
        rest = rest.slice(sequence.length)
        marksPastes ||= MARKS_PASTES.test(sequence)
        const input = inputOf(sequence)
        if (input !== undefined) inputs.push(input)
      } else {
        const end = rest.indexOf('\u001b')
        const plain = end < 0 ? rest : rest.slice(0, end)
        inputs.push(...plainInputs(plain, marksPastes || isEarly))
        rest = rest.slice(plain.length)
      }
    }
    return inputs
  }

  /** Collects pasted text up to the end mark. A part of the end mark may be in the next chunk. */
  function continuePaste(rest: string, inputs: Input[]): string {
    const end = rest.indexOf(PASTE_END)
    if (end >= 0) {
      inputs.push({ text: `${pasted}${rest.slice(0, end)}` })
      pasted = undefined
      return rest.slice(end + PASTE_END.length)
    }
    const last = rest.lastIndexOf('\u001b')
    const isSplit = last >= 0 && PASTE_END.startsWith(rest.slice(last))
    pasted += isSplit ? rest.slice(0, last) : rest
    pending = isSplit ? rest.slice(last) : ''
    return ''
  }

  return {
    feed,
    flush() {
      if (pasted !== undefined) return []
      const kept = pending
      pending = ''
      return kept === '\u001b' ? ['escape'] : []
    },
    get isPending() {
      return pending !== ''
    },
  }
}

// CSI, SS3, a control string such as OSC or DCS, CSI or SS3 after Escape, or Alt with a character.
const SEQUENCE = new RegExp(
  [
    String.raw`\u001b\[[0-?]*[ -/]*[@-~]`,
    String.raw`\u001bO[@-~]`,
    String.raw`\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)`,
    String.raw`\u001b\u001b(?:\[[0-?]*[ -/]*[@-~]|O[@-~])`,
    String.raw`\u001b[^\[O\]P_^X\u001b]`,
  ].join('|'),
  'uy',
)

/** Returns the complete sequence at the start, or `undefined` if its end is missing. */
function takeSequence(text: string): string | undefined {
  SEQUENCE.lastIndex = 0
  const found = SEQUENCE.exec(text)?.[0]
  if (found !== undefined) return found
  // Two Escapes that begin no sequence: the first is the key.
  return text.startsWith('\u001b\u001b') && !/^\u001b\u001b(?:$|[[O])/.test(text) ? '\u001b' : undefined
}

const CSI_KEYS: Readonly<Record<string, KeyName>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  '1~': 'home',
  '7~': 'home',
  '4~': 'end',
  '8~': 'end',
  '3~': 'backspace',
  '5~': 'page_up',
  '6~': 'page_down',
}

/** Returns `undefined` for sequences without a meaning, such as a report of the terminal. */
function inputOf(sequence: string): Input | undefined {
  if (sequence === '\u001b') return 'escape'
  if (sequence === '\u001b[Z') return 'shift+tab'
  const mouse = /^\u001b\[<(\d+);(\d+);(\d+)(M|m)$/.exec(sequence)
  if (mouse !== null) return mouseInput(Number(mouse[1]), Number(mouse[2]), Number(mouse[3]), mouse[4] === 'M')
  const csi = /^\u001b(?:\[(\d*)(?:;(\d+))?([~A-Z])|O([A-Z]))$/.exec(sequence)
  if (csi !== null) {
    const final = csi[4] ?? csi[3] ?? ''
    const key = CSI_KEYS[final === '~' ? `${csi[1]}~` : final]
    return key === undefined ? undefined : `${modifiers(Number(csi[2] ?? 1))}${key}`
  }
  const character = /^\u001b([^\u0000-\u001f\u007f])$/u.exec(sequence)?.[1]
  return character === undefined ? undefined : `alt+${character}`
}

/** @param parameter 1 plus 1 for Shift, 2 for Alt and 4 for Ctrl */
function modifiers(parameter: number): string {
  const bits = parameter - 1
  return `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}`
}

function mouseInput(button: number, column: number, row: number, pressed: boolean): MouseInput | undefined {
  const at = { column: column - 1, row: row - 1 }
  // Without the bits of Shift (4), Alt (8) and Ctrl (16).
  const kind = button & ~0b11100
  if (kind === 64) return { mouse: 'wheel_up', ...at }
  if (kind === 65) return { mouse: 'wheel_down', ...at }
  return kind === 0 && pressed ? { mouse: 'press', ...at } : undefined
}

/** Keys that only move or mark. A held key or a macro sends many of them at once, and all of them have an effect. */
const HARMLESS = /^[jkgGhl *]+$/

function plainInputs(plain: string, mayBeTyped: boolean): readonly Input[] {
  const pieces = plain.match(/[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]+|[\u0000-\u001f\u007f]/gu) ?? []
  return pieces.flatMap((piece): readonly Input[] => {
    // A slow connection may deliver text and the Tabs around it at once. The Tabs still move to the next field.
    const [, before = '', middle = '', after = ''] = /^(\t*)(.*?)(\t*)$/su.exec(piece) ?? []
    const { length } = [...middle]
    if (length < 2 || !/[^\r\n\t]/.test(middle) || HARMLESS.test(middle)) return namesOf(piece)
    const isTyped = mayBeTyped && length <= MAX_TYPED && !/[\r\n\t]/.test(middle)
    return [...namesOf(before), isTyped ? { text: middle, typed: true } : { text: middle }, ...namesOf(after)]
  })
}

function namesOf(characters: string): readonly KeyName[] {
  return [...characters].flatMap(characterName)
}

function characterName(character: string): readonly KeyName[] {
  if (character === '\r' || character === '\n') return ['enter']
  if (character === '\t') return ['tab']
  if (character === '\u007f' || character === '\b') return ['backspace']
  if (character >= ' ') return [character]
  // The codes of Ctrl-A to Ctrl-Z are 1 to 26.
  return character > '\u0000' && character <= '\u001a'
    ? [`ctrl+${String.fromCharCode(character.charCodeAt(0) + 96)}`]
    : []
}
