// Builds a commander parser from the data of the commands. The parser neither runs commands nor exits.
import { Option, Command as Parser } from 'commander'
import { type Command, type Group, isGroup } from '../command.ts'
import type { ConfigSources } from '../config/config.ts'
import type { ConfigKey } from '../config/config-keys.ts'
import { CliError, usageError } from '../failure.ts'
import { argumentText, commandHelp, groupHelp, type HelpLayout, helpDocument, overview } from '../help/help.ts'
import { GLOBAL_FLAGS } from './common-flags.ts'
import type { ArgumentSet, Flag, FlagSet } from './flags.ts'

export interface Invocation {
  readonly command: Command
  readonly args: { readonly [name: string]: unknown }
  readonly flags: { readonly [name: string]: unknown }
  /** The values of the flags that set configuration keys. */
  readonly config: Pick<ConfigSources, 'flags' | 'set'>
}

export interface ParserOptions {
  readonly version: string
  readonly help: HelpLayout
  /** True if help is printed as one JSON document. */
  readonly json: boolean
  readonly write: (text: string) => unknown
  readonly onInvoke: (invocation: Invocation) => void
}

export function buildParser(root: Group, options: ParserOptions): Parser {
  const parser = new Parser('psp')
  parser.version(options.version, '-v, --version', 'the version')
  let formatHelp = groupHelp
  configureParser(parser, options, () =>
    options.json ? helpDocument('psp', root) : formatHelp('psp', root, options.help),
  )
  addFlags(parser, GLOBAL_FLAGS)
  addEntries(parser, root, 'psp', options)
  const help = parser.help.bind(parser)
  // Commander calls this if no command is given.
  parser.help = () => {
    formatHelp = overview
    return help({ error: false })
  }
  return parser
}

/** Adds the names of the commands. The flags and arguments of a command are added when commander selects it. */
function addEntries(parent: Parser, group: Group, path: string, options: ParserOptions): void {
  const entries = new Map<Parser, Command | Group>()
  for (const entry of group.commands) {
    const parser = parent.createCommand(entry.name)
    entries.set(parser, entry)
    parent.addCommand(parser)
  }
  parent.hook('preSubcommand', (_, selected) => {
    const entry = entries.get(selected)
    if (entry === undefined) return
    entries.delete(selected)
    describeEntry(selected, entry, `${path} ${entry.name}`, options)
  })
}

function describeEntry(parser: Parser, entry: Command | Group, name: string, options: ParserOptions): void {
  configureParser(parser, options, () => {
    if (options.json) return helpDocument(name, entry)
    return isGroup(entry) ? groupHelp(name, entry, options.help) : commandHelp(name, entry, options.help)
  })
  if (!isGroup(entry)) {
    addCommand(parser, entry, options)
    return
  }
  addEntries(parser, entry, name, options)
  if (entry.defaultCommand !== undefined) addGroupWithDefault(parser, entry.defaultCommand, options)
  else requireCommand(parser, name, entry)
}

function addCommand(parser: Parser, command: Command, options: ParserOptions): void {
  for (const [name, { kind, description }] of Object.entries(command.args)) {
    // All arguments are optional for commander. `argumentsOf` reports missing ones, with a hint.
    const isList = kind === 'zero_or_more' || kind === 'one_or_more'
    parser.argument(argumentText(name, isList ? 'zero_or_more' : 'optional'), description)
  }
  addFlags(parser, command.flags)
  parser.action(() => options.onInvoke(invocationOf(parser, command)))
}

/** A word that is neither a command nor an argument of the default command is an unknown command. */
function addGroupWithDefault(parser: Parser, defaultCommand: Command, options: ParserOptions): void {
  const [argument] = Object.values(defaultCommand.args)
  if (argument !== undefined) {
    addCommand(parser, defaultCommand, options)
    const fail = parser.error.bind(parser)
    parser.error = (message, context) => {
      const [word = ''] = parser.args
      const isUnknown = context?.code === 'commander.excessArguments' && argument.choices?.includes(word) !== true
      return isUnknown ? rejectCommand(word, fail) : fail(message, context)
    }
    return
  }
  addFlags(parser, defaultCommand.flags)
  parser.argument('[command...]')
  parser.action(([word]: readonly string[]) => {
    if (word !== undefined) rejectCommand(word, parser.error.bind(parser))
    options.onInvoke(invocationOf(parser, defaultCommand))
  })
}

const rejectCommand = (word: string, fail: Parser['error']): never =>
  fail(`unknown command '${word}'`, { code: 'commander.unknownCommand' })

/** Reports a missing subcommand as a usage error. Commander would print the help on stderr. */
function requireCommand(parser: Parser, path: string, group: Group): void {
  const help = parser.help.bind(parser)
  parser.help = ((context?: { error: boolean }) =>
    context?.error === true ? missingCommand(path, group) : help()) as typeof parser.help
}

function addFlags(parser: Parser, flags: FlagSet): void {
  for (const flag of Object.values(flags)) {
    const option = new Option(flag.spelling, flag.description)
    const parse = (text: string) => parseFlag(flag, option, requireValue(parser, option, text))
    if (flag.kind === 'value') option.argParser(parse)
    if (flag.preset !== undefined) option.preset(flag.preset)
    if (flag.kind === 'list') option.argParser((text: string, former: unknown) => [...list(former), parse(text)])
    parser.addOption(option)
  }
}

/** Rejects `--url --json`, in which the value is missing. `--url=--json` is accepted. */
function requireValue(parser: Parser, option: Option, text: string): string {
  if (!text.startsWith('--')) return text
  for (let at: Parser | null = parser; at !== null; at = at.parent) {
    if (!at.options.some(({ long }) => long === text)) continue
    const given = (rootOf(parser) as unknown as { readonly rawArgs?: readonly string[] }).rawArgs ?? []
    if (given.includes(`${option.long}=${text}`)) return text
    throw usageError(`${option.long} is missing its value: ${text} is the next flag.`, `Write ${option.flags}.`)
  }
  return text
}

function rootOf(parser: Parser): Parser {
  return parser.parent === null ? parser : rootOf(parser.parent)
}

function parseFlag(flag: Flag<unknown>, option: Option, text: string): unknown {
  try {
    return flag.parse(text)
  } catch (error) {
    if (error instanceof CliError) throw usageError(`${option.long ?? option.flags}: ${error.message}`, error.hint)
    throw error
  }
}

const list = (former: unknown): readonly unknown[] => (Array.isArray(former) ? former : [])

function configureParser(parser: Parser, options: ParserOptions, help: () => string): void {
  parser.exitOverride()
  parser.configureOutput({
    writeOut: options.write,
    writeErr: () => {},
    outputError: () => {},
    // `options.help` already decides on colour. Otherwise commander would inspect the process.
    getOutHasColors: () => true,
  })
  parser.helpInformation = help
  parser.helpOption('-h, --help', 'this help')
  // ./parser-errors.ts suggests commands and options.
  parser.showSuggestionAfterError(false)
  parser.allowExcessArguments(false)
  // ./help-command.ts handles `help`.
  parser.helpCommand(false)
}

/** `psp payments get`. */
function pathOf(parser: Parser): string {
  return parser.parent === null ? parser.name() : `${pathOf(parser.parent)} ${parser.name()}`
}

function missingCommand(path: string, group: Group): never {
  const names = group.commands.map(({ name }) => name).join(', ')
  throw usageError(`${path} needs one of its commands: ${names}.`, `\`${path} --help\` explains them.`)
}

function invocationOf(parser: Parser, command: Command): Invocation {
  const given = parser.optsWithGlobals() as Record<string, unknown>
  return {
    command,
    args: argumentsOf(parser, command.args),
    flags: Object.fromEntries(Object.entries(command.flags).map(([name, flag]) => [name, flagValue(flag, given)])),
    config: { flags: configOf({ ...GLOBAL_FLAGS, ...command.flags }, given), set: settingsOf(command.flags, given) },
  }
}

function argumentsOf(parser: Parser, args: ArgumentSet): Invocation['args'] {
  const values = parser.processedArgs as unknown[]
  Object.entries(args).forEach(([name, { kind, laterWordsMayBeEmpty }], at) => {
    const words = [values[at] as string | readonly string[] | undefined].flat().filter((word) => word !== undefined)
    const isMissing = words.length === 0 && (kind === 'required' || kind === 'one_or_more')
    // An empty word is usually a variable of the shell that is not set.
    const isEmpty = (laterWordsMayBeEmpty === true ? words.slice(0, 1) : words).some((word) => word.trim() === '')
    if (!isMissing && !isEmpty) return
    const state = isMissing ? 'missing' : 'empty'
    throw usageError(`The argument ${name} is ${state}.`, `\`${pathOf(parser)} --help\` shows examples.`)
  })
  return Object.fromEntries(
    Object.entries(args).map(([name, { kind }], at) => [
      name,
      kind === 'zero_or_more' ? (values[at] ?? []) : values[at],
    ]),
  )
}

function flagValue(flag: Flag<unknown>, given: Record<string, unknown>): unknown {
  const value = given[attributeOf(flag)]
  if (flag.kind === 'switch') return value === true
  return flag.kind === 'list' ? list(value) : value
}

function configOf(flags: FlagSet, given: Record<string, unknown>): ReadonlyMap<ConfigKey, unknown> {
  const found = new Map<ConfigKey, unknown>()
  for (const [name, flag] of Object.entries(flags)) {
    const value = given[attributeOf(flag)]
    if (flag.configures === true && value !== undefined) found.set(name as ConfigKey, value)
  }
  return found
}

/**
 * Returns the settings of `--set`. `serve`, `exec` and `compare` declare that flag as `settings`. The `--set` of
 * `psp trigger` is declared as `set`, and contains fields of an event.
 */
function settingsOf(flags: FlagSet, given: Record<string, unknown>): ConfigSources['set'] {
  const flag = flags['settings']
  return flag === undefined ? [] : (list(given[attributeOf(flag)]) as ConfigSources['set'])
}

/** Returns the name that commander gives an option: `--order-id` is `orderId`. */
function attributeOf(flag: Flag<unknown>): string {
  return new Option(flag.spelling).attributeName()
}
