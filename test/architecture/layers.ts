import { DATA, MODULES, moduleOf } from './modules.ts'
import { importsOf, type Source } from './source.ts'

/** One line for each import that goes up, sideways or out of the table, and for each file without a module. */
export function layerFaults(files: readonly Source[]): string[] {
  return files.flatMap((file) => {
    const from = moduleOf(file.path)
    if (from === undefined) return [`${file.path}:1 is in no module: add the module to test/architecture/modules.ts`]
    return importsOf(file).flatMap(({ line, target }) => {
      if (target === undefined || DATA.some((each) => target.startsWith(each))) return []
      const to = moduleOf(target)
      if (to === undefined) return [`${file.path}:${line} imports ${target}, which is in no module`]
      if (to === from || MODULES[from]?.imports.includes(to)) return []
      return [`${file.path}:${line} imports ${target}: ${from} may not import from ${to}`]
    })
  })
}
