import { DATA, HOUSE, roomOf } from './house.ts'
import { importsOf, type Source } from './source.ts'

/** One line for each import that goes up, sideways or out of the house, and for each file without a room. */
export function layerFaults(files: readonly Source[]): string[] {
  return files.flatMap((file) => {
    const from = roomOf(file.path)
    if (from === undefined) return [`${file.path}:1 is in no room: name the room in test/architecture/house.ts`]
    return importsOf(file).flatMap(({ line, target }) => {
      if (target === undefined || DATA.some((each) => target.startsWith(each))) return []
      const to = roomOf(target)
      if (to === undefined) return [`${file.path}:${line} imports ${target}, which is in no room`]
      if (to === from || HOUSE[from]?.imports.includes(to)) return []
      return [`${file.path}:${line} imports ${target}: ${from} may not import from ${to}`]
    })
  })
}
