// The commands that the palette finds by their description.
import { type Command, changesData, KEY_TABLE } from './key-table.ts'

export interface PaletteItem {
  readonly command: Command | 'copy_curl' | 'copy_verify'
  /** The key, if the command has one. */
  readonly shown: string
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
    const { shown, description } = KEY_TABLE[command]
    return command === 'copy_as' ? [] : [...(command === 'copy' ? EXTRA : []), { command, shown, description }]
  })

/**
 * Returns the commands whose description contains every word. Those that begin with the text are first.
 * @param readOnly omits commands that change data
 */
export function paletteItems(text: string, readOnly: boolean): readonly PaletteItem[] {
  const wanted = text.trim().toLowerCase()
  const words = wanted.split(/\s+/)
  const found = ITEMS.filter(({ command }) => !(readOnly && changesData(command))).filter(({ description }) =>
    words.every((word) => description.toLowerCase().includes(word)),
  )
  const first = found.filter(({ description }) => description.toLowerCase().startsWith(wanted))
  return [...first, ...found.filter((item) => !first.includes(item))]
}
