// The parts that every page of the reference is made of.

const MADE = 'Made from the code by `npm run docs`; a test keeps it true.'

export const code = (text: string) => `\`${text}\``

export function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, MADE, ...parts].join('\n\n')}\n`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

export function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** Where a heading of GitHub's is linked to. */
export function anchor(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}
