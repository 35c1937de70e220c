// The reference pages as text, made from the tables the program runs with.
import * as z from 'zod'
import { type Command, type Group, isGroup } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands/index.ts'
import { CONFIG_KEYS } from '../../src/cli/config-keys.ts'
import { EXIT_CODES, EXIT_MEANINGS, type ExitName } from '../../src/cli/exit-codes.ts'
import type { FlagSet } from '../../src/cli/flags.ts'
import { GLOBAL_FLAGS } from '../../src/cli/global-flags.ts'
import { argumentText } from '../../src/cli/help.ts'
import { API_ERRORS } from '../../src/domain/errors.ts'
import { FAILURE_CODES } from '../../src/domain/failure-codes.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import { SETTINGS, settingEnvName } from '../../src/settings.ts'

const MADE = 'Made from the code by `npm run docs`; a test keeps it true.'

export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, row]) => [
    code(name),
    code(Array.isArray(row.default) ? row.default.join(',') : String(row.default === '' ? '""' : row.default)),
    row.about,
  ])
  const example = settingEnvName('delays.bank')
  return page('Settings', [
    `What the simulator does where nothing else decides. At the start: \`psp serve --set delays.bank=2s\`, \`${example}=2s\`, or \`settings\` in \`psp.config.json\` and in a seed file. While it runs: \`psp settings set delays.bank=2s\`, or \`PATCH /_psp/settings\` with \`{"delays.bank": "2s"}\`. \`psp settings\` shows each value and where it comes from.`,
    table(['setting', 'default', 'what it is'], rows),
    'Durations are written `500ms`, `15s`, `20m`, `2h`, `3d` or `1h30m`.',
  ])
}

export function configurationPage(): string {
  const rows = Object.entries(CONFIG_KEYS).map(([name, row]) => [code(name), code(row.env), row.about])
  return page('Configuration', [
    'Each of these is a flag (`--api-key`), a variable of the environment and a key of `psp.config.json` in the working folder; the first of the three that is given counts. `psp config` shows what is in force and why. The file has a JSON schema: `"$schema": "./node_modules/psp-sandbox/fixtures/psp.config.schema.json"`.',
    table(['key of the file', 'environment', 'what it is'], rows),
  ])
}

export function exitCodesPage(): string {
  const rows = (Object.keys(EXIT_CODES) as ExitName[]).map((name) => [String(EXIT_CODES[name]), EXIT_MEANINGS[name]])
  return page('Exit codes', [
    table(['code', 'meaning'], rows),
    '`psp exec` ends with the code of the program it ran, or with 128 and the number of the signal that ended it. `serve`, `listen`, `tail` and `ui` end with 0 at the first SIGINT or SIGTERM.',
    'A failure prints nothing on stdout. On stderr it is one line that says what happened and one that says how to go on; with `--json` it is `{"error": {"code", "message", "hint"}}` on one line.',
  ])
}

export function errorsPage(): string {
  const errors = Object.entries(API_ERRORS).map(([name, row]) => [String(row.status), code(name), row.message])
  const failures = Object.entries(FAILURE_CODES).map(([name, row]) => {
    const raw = row as { card?: string; transfer?: string }
    return [code(name), raw.card ?? '', raw.transfer ?? '']
  })
  return page('Errors and failure codes', [
    'Every refusal is `{"error": {"code", "message"}}`. The message names the field and the next step; these are the words where nothing more is known.',
    table(['status', 'code', 'default message'], errors),
    '## Failure codes',
    'Why a payment or payout failed: `failure_code` in `metadata`, and in the answer of a synchronous refusal. `bank_failure_code` is the raw code that the bank of that kind gives.',
    table(['code', 'cards', 'SBP, wallets, payouts'], failures),
  ])
}

export function controlApiPage(): string {
  const parts = CONTROL_ROUTES.flatMap((route) => [
    `## ${route.method} /_psp${route.path}`,
    `${route.summary}.`,
    ...fieldTable('Query', route.query),
    ...fieldTable(route.bodyOptional ? 'Body (may be left out)' : 'Body', route.body),
    `Answers ${Object.entries(route.answers)
      .map(([status, name]) => `${status} ${answerText(name)}`)
      .join(
        ', ',
      )}${route.refuses === undefined ? '' : `; refuses with ${route.refuses.map((refusal) => `${API_ERRORS[refusal].status} ${code(refusal)}`).join(', ')}`}.`,
  ])
  return page('Control API', [
    'It stands for the dashboard and the controls of the simulator. JSON in snake_case, the same error object as the public API, `{items, next_cursor}` for lists. It answers loopback only; on another host it is off unless `--control-token` is set (`Authorization: Bearer`). A foreign `Origin`, `Host` or `Sec-Fetch-Site` gets 403; a body has `Content-Type: application/json`. The schemas are in `GET /_psp/openapi.json`.',
    ...parts,
  ])
}

export function commandsPage(): string {
  return page('Commands', [
    'In the order of `psp --help`. Every command also takes the options at the end of this page, before or after its name.',
    ...entries(COMMANDS, 'psp'),
    '## Everywhere',
    flagTable(GLOBAL_FLAGS),
  ])
}

function entries(group: Group, path: string): string[] {
  return group.commands.flatMap((entry) => {
    const name = `${path} ${entry.name}`
    if (!isGroup(entry)) return commandPart(name, entry)
    return [...(entry.bare === undefined ? [] : commandPart(name, entry.bare)), ...entries(entry, name)]
  })
}

function commandPart(path: string, command: Command): string[] {
  const args = Object.entries(command.args)
  const usage = [path, ...args.map(([name, { kind }]) => argumentText(name, kind))].join(' ')
  const examples = command.examples.map(([line, about]) => `# ${about}\n${line}`)
  return [
    `## ${path}`,
    `${command.about}.`.replace(/([.:?])\.$/, '$1'),
    `\`${usage}${Object.keys(command.flags).length > 0 ? ' [options]' : ''}\``,
    ...(args.length === 0
      ? []
      : [
          table(
            ['argument', 'what it is'],
            args.map(([name, { kind, about }]) => [code(argumentText(name, kind)), about]),
          ),
        ]),
    ...(Object.keys(command.flags).length === 0 ? [] : [flagTable(command.flags)]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
  ]
}

function flagTable(flags: FlagSet): string {
  return table(
    ['option', 'what it is'],
    Object.values(flags).map(({ spelling, about }) => [code(spelling), about]),
  )
}

function fieldTable(title: string, schema: z.ZodType | undefined): string[] {
  if (schema === undefined) return []
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const fields = Object.entries(json.properties ?? {})
  if (fields.length === 0) return []
  const needed = new Set(json.required ?? [])
  return [
    table(
      [title, 'type', ''],
      fields.map(([name, field]) => [code(name), typeText(field), needed.has(name) ? 'required' : '']),
    ),
  ]
}

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((one) => code(String(one))).join(', ')
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeText))].join(' or ')
  if (schema.type === 'array') return `list of ${schema.items === undefined ? 'anything' : typeText(schema.items)}`
  return schema.type ?? 'anything'
}

function answerText(name: string): string {
  return name === 'nothing' ? 'without a body' : name === 'stream' ? 'server-sent events' : name
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, MADE, ...parts].join('\n\n')}\n`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

const code = (text: string) => `\`${text}\``
