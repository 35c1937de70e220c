import { importsOf, type Source } from './source.ts'

/** Each cycle of imports once, as 'src/a.ts:1 -> src/b.ts:3 -> src/a.ts' (the line is that of the import). */
export function cycles(files: readonly Source[]): string[] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file)]))
  const done = new Set<string>()
  const found: string[] = []

  const visit = (path: string, trail: readonly { readonly path: string; readonly line: number }[]) => {
    const start = trail.findIndex((step) => step.path === path)
    if (start >= 0) {
      const steps = trail.slice(start).map((step) => `${step.path}:${step.line}`)
      found.push([...steps, path].join(' -> '))
      return
    }
    if (done.has(path)) return
    for (const { line, target } of graph.get(path) ?? []) {
      if (target !== undefined && graph.has(target)) visit(target, [...trail, { path, line }])
    }
    done.add(path)
  }

  for (const path of graph.keys()) visit(path, [])
  return found
}
