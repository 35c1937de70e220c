// The building blocks of the reference pages.

const MADE = 'Generated from the code by `npm run docs`. A test checks that it is up to date.'

export const code = (text: string) => `\`${text}\``

export function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, MADE, ...parts].join('\n\n')}\n`
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Escapes what Markdown would read as a column or, outside of code, as a tag: `PSP_SET_<NAME>`. */
function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|').replace(/(`[^`]*`)|</g, (_, code?: string) => code ?? '\\<')
}

export function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** The anchor that GitHub creates for a heading. */
export function anchor(title: string): string {
  return `#${title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')}`
}
