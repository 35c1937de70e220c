// Translates the input of Ink to names of keys: `up`, `enter`, `ctrl+c`, or the character itself.
import type { Key } from 'ink'

const NAMED_KEYS = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page_up'],
  ['pageDown', 'page_down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
] as const satisfies readonly (readonly [keyof Key, string])[]

/** Returns several names if one read contained several keys, as in a paste. */
export function keyNames(input: string, key: Key): readonly string[] {
  if (key.tab) return [key.shift ? 'shift+tab' : 'tab']
  const named = NAMED_KEYS.find(([flag]) => key[flag])
  if (named !== undefined) return [named[1]]
  if (key.ctrl) return [`ctrl+${input}`]
  return [...input].flatMap(characterName)
}

function characterName(character: string): readonly string[] {
  if (character === '\r' || character === '\n') return ['enter']
  if (character === '\t') return ['tab']
  if (character === '\u007f' || character === '\b') return ['backspace']
  if (character >= ' ') return [character]
  // The codes of Ctrl-A to Ctrl-Z are 1 to 26.
  return character > '\u0000' && character <= '\u001a'
    ? [`ctrl+${String.fromCharCode(character.charCodeAt(0) + 96)}`]
    : []
}
