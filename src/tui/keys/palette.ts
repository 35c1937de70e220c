// The commands that the palette finds by their label and their description.
import { type Command, changesData, KEY_TABLE } from './key-table.ts'

export interface PaletteItem {
  readonly command: Command | 'copy_curl' | 'copy_verify'
  /** The key, if the command has one. */
  readonly shown: string
  /** The label in the footer, if the command has one. */
  readonly label?: string
  readonly description: string
}

/** Commands without a key. */
const EXTRA: readonly PaletteItem[] = [
  { command: 'copy_curl', shown: '', description: 'copy a curl command of the newest attempt or the request' },
  { command: 'copy_verify', shown: '', description: 'copy a psp verify command for the newest attempt' },
]

const ITEMS: readonly PaletteItem[] = (Object.keys(KEY_TABLE) as Command[])
  .filter((command) => KEY_TABLE[command].group !== 'Move' && command !== 'palette')
  .flatMap((command): readonly PaletteItem[] => {
    const { shown, label, description } = KEY_TABLE[command]
    const item = { command, shown, ...(label === undefined ? {} : { label }), description }
    return command === 'copy_as' ? [] : [...(command === 'copy' ? EXTRA : []), item]
  })

/**
 * Returns the commands whose label and description together contain every word. Those whose label or description begins
 * with the text are first.
 * @param readOnly omits commands that change data
 */
export function paletteItems(text: string, readOnly: boolean): readonly PaletteItem[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const found = ITEMS.filter(({ command }) => !(readOnly && changesData(command))).filter((item) =>
    words.every((word) => textsOf(item).some((each) => each.includes(word))),
  )
  const first = found.filter((item) => textsOf(item).some((each) => each.startsWith(wanted)))
  return [...first, ...found.filter((item) => !first.includes(item))]
}

function textsOf({ label = '', description }: PaletteItem): readonly string[] {
  return [label.toLowerCase(), description.toLowerCase()]
}
