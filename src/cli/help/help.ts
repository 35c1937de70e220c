// Help texts, and help as one JSON document for other programs.

import { capitalize } from '../../domain/characters.ts'
import { wrapWords } from '../../terminal/wrap-words.ts'
import { type Command, type Group, isGroup } from '../command.ts'
import type { Paint } from '../output/colour.ts'
import { GLOBAL_FLAGS } from '../parsing/common-flags.ts'
import type { ArgumentSet, FlagSet } from '../parsing/flags.ts'

/** Returns the help of one command. `path` is its full name: `psp payments create`. */
export function commandHelp(path: string, command: Command, help: HelpLayout): string {
  return [
    paragraph(command.description, help),
    examples(command.examples, help),
    section('Usage', [`  ${usageLine(path, command)}`], help),
    section('Arguments', rows(argumentRows(command.args), help), help),
    ...flagSections(command.flags, help),
    command.notes.length === 0 ? '' : paragraph(command.notes.join('\n'), help),
    section('Global options', rows(flagRows(GLOBAL_FLAGS), help), help),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** Returns the help of a group or of the whole program, with its commands by section. */
export function groupHelp(path: string, group: Group, help: HelpLayout): string {
  return [
    paragraph(group.description, help),
    group.sections === undefined
      ? examples(groupExamples(group), help)
      : section('Examples', rows(groupExamples(group).slice(0, 4), help), help),
    section('Usage', [`  ${path} ${group.defaultCommand === undefined ? '<command>' : '[command]'}`], help),
    ...commandSections(group, help),
    section('Options', rows(flagRows(group.defaultCommand?.flags ?? {}), help), help),
    group.sections === undefined ? '' : section('Global options', rows(flagRows(GLOBAL_FLAGS), help), help),
    help.paint.dim(paragraph(`${path} <command> --help shows more.`, help)),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function commandSections(group: Group, help: HelpLayout): readonly string[] {
  const { sections = [['Commands', group.commands.map(({ name }) => name)]] } = group
  const entries = new Map(
    group.commands.map((entry) => [
      entry.name,
      [
        `${entry.name}${isGroup(entry) ? ' …' : entry === group.defaultCommand ? ' (default)' : ''}`,
        entry.description,
      ] as const,
    ]),
  )
  const width = Math.max(...[...entries.values()].map(([name]) => name.length))
  return sections.map(([title, names]) =>
    section(
      capitalize(title),
      rows(
        names.flatMap((name) => {
          const row = entries.get(name)
          return row === undefined ? [] : [[row[0].padEnd(width), row[1]] as const]
        }),
        help,
      ),
      help,
    ),
  )
}

/** Returns the output of `psp` without a command, for a screen of 24 rows and 80 columns. */
export function overview(path: string, group: Group, help: HelpLayout): string {
  const sectionRows = (group.sections ?? []).map(([title, names]) => [title, names.join(', ')] as const)
  const globalRows = [
    ['--json', 'JSON on stdout, and nothing else there'],
    ['--url <url>', 'use the server at this URL (PSP_URL)'],
    ['--version', 'the version'],
  ] as const
  return [
    paragraph(group.description, help),
    section('Examples', rows(groupExamples(group).slice(0, 4), help), help),
    section('Commands', rows(sectionRows, help), help),
    section('Global options', rows(globalRows, help), help),
    help.paint.dim(paragraph(`${path} --help lists all commands. ${path} <command> --help shows its options.`, help)),
  ].join('\n')
}

function paragraph(text: string, { columns }: HelpLayout): string {
  return `${wrapWords(text, columns).join('\n')}\n`
}

/** Returns at most five examples: one of each command or, if the group has only subgroups, two of each subgroup. */
function groupExamples(group: Group): Command['examples'] {
  const ofCommands = [...new Set([group.defaultCommand, ...group.commands])].flatMap((entry) =>
    entry === undefined || isGroup(entry) ? [] : entry.examples.slice(0, 1),
  )
  const ofSubgroups = group.commands.flatMap((entry) => (isGroup(entry) ? groupExamples(entry).slice(0, 2) : []))
  return (ofCommands.length === 0 ? ofSubgroups : ofCommands).slice(0, 5)
}

function examples(lines: Command['examples'], help: HelpLayout): string {
  const { dim, name } = help.paint
  const comment = (text: string) => wrapWords(text, help.columns - 4).map((line) => dim(`  # ${line}`))
  const shown = lines.flatMap(([line, description]) => [...comment(description), `  ${name(line)}`])
  return section('Examples', shown, help)
}

/** Returns the usage line without global options: `psp record --to <url> --out <file> [options]`. */
export function usageLine(path: string, command: Command): string {
  const args = Object.entries(command.args).map(([name, { kind }]) => argumentText(name, kind))
  const flags = Object.values(command.flags)
  const mandatory = flags.filter(({ isMandatory }) => isMandatory === true).map(({ spelling }) => longOf(spelling))
  const options = [...mandatory, ...(flags.length > mandatory.length ? ['[options]'] : [])]
  // Options after -- belong to the program that `exec` runs.
  return (command.name === 'exec' ? [path, ...options, '--', ...args] : [path, ...args, ...options]).join(' ')
}

/** Returns the usual notation: `<id>`, `[query]`, `<ids...>`, `[names...]`. */
export function argumentText(name: string, kind: ArgumentSet[string]['kind']): string {
  return {
    required: `<${name}>`,
    optional: `[${name}]`,
    one_or_more: `<${name}...>`,
    zero_or_more: `[${name}...]`,
  }[kind]
}

function argumentRows(args: ArgumentSet): (readonly [string, string])[] {
  return Object.entries(args).map(([name, { kind, description }]) => [argumentText(name, kind), description])
}

/** Returns the options by heading, in the order in which the headings first occur. */
function flagSections(flags: FlagSet, help: HelpLayout): readonly string[] {
  const headings = [...new Set(Object.values(flags).map(({ heading = 'Options' }) => heading))]
  return headings.map((title) => {
    const ofHeading = Object.entries(flags).filter(([, { heading = 'Options' }]) => heading === title)
    return section(title, rows(flagRows(Object.fromEntries(ofHeading)), help), help)
  })
}

/** Returns the spelling without its short form: `--out <file>` of `-o, --out <file>`. */
const longOf = (spelling: string) => spelling.replace(/^-\w, /, '')

function flagRows(flags: FlagSet): (readonly [string, string])[] {
  const shown = Object.values(flags).filter(({ hidden }) => hidden !== true)
  return shown.map(({ spelling, description }) => [spelling, description])
}

export interface HelpLayout {
  readonly paint: Paint
  readonly columns: number
}

/** Returns a heading and its lines, or an empty string if there are no lines. */
function section(title: string, lines: readonly string[], { paint }: HelpLayout): string {
  return lines.length === 0 ? '' : `${paint.bold(title)}\n${lines.join('\n')}\n`
}

/** Minimum columns for descriptions, which begin on the next line on a narrow terminal. */
const MIN_TEXT_COLUMNS = 24

/** Lays out two columns. The second column is wrapped to the width of the terminal. */
export function rows(
  pairs: readonly (readonly [left: string, right: string])[],
  { paint, columns }: HelpLayout,
): string[] {
  const longest = Math.max(0, ...pairs.map(([left]) => left.length))
  const width = Math.min(longest, 44, Math.max(0, columns - MIN_TEXT_COLUMNS - 4))
  const room = columns - width - 4
  return pairs.flatMap(([left, right]) => {
    const [first = '', ...rest] = wrapWords(right, room)
    const indent = ' '.repeat(width + 4)
    const head =
      left.length > width
        ? [`  ${paint.name(left)}`, `${indent}${first}`]
        : [`  ${paint.name(left)}${' '.repeat(width - left.length + 2)}${first}`]
    return [...head.map((line) => line.trimEnd()), ...rest.map((line) => `${indent}${line}`)]
  })
}

/**
 * Returns the help as JSON, in which a description is called `about`.
 * @param path full name: `psp payments`
 */
export function helpDocument(path: string, entry: Command | Group): string {
  return `${JSON.stringify(isGroup(entry) ? ofGroup(path, entry) : ofCommand(path, entry))}\n`
}

function ofGroup(name: string, { description, commands, defaultCommand }: Group) {
  const listed = commands.map((entry) => ({
    name: `${name} ${entry.name}`,
    about: entry.description,
    group: isGroup(entry),
  }))
  return {
    name,
    about: description,
    commands: listed,
    options: optionsOf({ ...defaultCommand?.flags, ...GLOBAL_FLAGS }),
  }
}

function ofCommand(name: string, { description, args, flags, examples }: Command) {
  return {
    name,
    about: description,
    arguments: Object.entries(args).map(([arg, { kind, description: about }]) => ({
      name: argumentText(arg, kind),
      about,
    })),
    options: optionsOf({ ...flags, ...GLOBAL_FLAGS }),
    examples: examples.map(([line, about]) => ({ line, about })),
  }
}

function optionsOf(flags: FlagSet) {
  return Object.values(flags)
    .filter(({ hidden }) => hidden !== true)
    .map(({ spelling, description }) => ({ name: spelling, about: description }))
}
