// Generates the reference pages from the tables that the program uses.
import { type Command, type Group, isGroup } from '../../src/cli/command.ts'
import { COMMANDS } from '../../src/cli/commands/index.ts'
import { CONFIG_KEYS } from '../../src/cli/config/config-keys.ts'
import { EXIT_CODES, type ExitName } from '../../src/cli/failure.ts'
import { argumentText, usageLine } from '../../src/cli/help/help.ts'
import { GLOBAL_FLAGS } from '../../src/cli/parsing/common-flags.ts'
import type { FlagSet } from '../../src/cli/parsing/flags.ts'
import { API_ERRORS } from '../../src/domain/errors.ts'
import { FAILURE_CODES } from '../../src/domain/failure-codes.ts'
import { SETTINGS, settingEnvName } from '../../src/settings.ts'
import { EXIT_MEANINGS } from './exit-meanings.ts'
import { code, page, table } from './markdown.ts'

export function settingsPage(): string {
  const rows = Object.entries(SETTINGS).map(([name, row]) => [
    code(name),
    code(Array.isArray(row.default) ? row.default.join(',') : String(row.default === '' ? '""' : row.default)),
    row.description,
  ])
  const example = settingEnvName('delays.bank')
  return page('Settings', [
    `A request, a rule or a fault has priority over a setting. To choose a setting at the start, use \`psp serve --set delays.bank=2s\`, \`${example}=2s\`, or \`settings\` in \`psp.config.json\` and in a seed file. To change it while the server runs, use \`psp settings set delays.bank=2s\`, or \`PATCH /_psp/settings\` with \`{"delays.bank": "2s"}\`. \`psp settings\` shows each value and where it comes from.`,
    table(['setting', 'default', 'what it is'], rows),
    'Examples of durations are `500ms`, `15s`, `20m`, `2h`, `3d` and `1h30m`.',
  ])
}

export function configurationPage(): string {
  const rows = Object.entries(CONFIG_KEYS).map(([name, row]) => [code(name), code(row.env), row.description])
  return page('Configuration', [
    'Each row is a flag (`--api-key`), an environment variable and a key of `psp.config.json` in the working directory. The flag has priority over the variable, and the variable over the file. `psp config` shows each value and its source. The file has a JSON schema: `"$schema": "./node_modules/psp-sandbox/fixtures/psp.config.schema.json"`.',
    table(['key of the file', 'environment', 'what it is'], rows),
    'These rules apply to all `PSP_…` variables, including `PSP_SET_…`. White space at both ends is removed, such as the carriage return of an `.env` file with Windows line ends. A blank variable counts as not set. An empty setting is written `""`, or `[]` for a list: `PSP_SET_WEBHOOK_RETRIES=[]`.',
    '## Addresses',
    'The same rules apply to every address: in flags, arguments, variables, `psp.config.json`, and the options of the library (`baseUrl`, `baseUrls`, `url`, `payUrl`, `endpoints`). Blanks, line ends and one pair of quotes around the text are removed. An invalid address causes exit code 2 (a `TypeError` in the library) with a hint, and nothing is sent.',
    table(
      ['address', 'optional parts', 'removed parts'],
      [
        [
          'the base URL of a server: `--url`, `--pay-url`, `url`, `baseUrl`',
          'for this machine: `http://`, and the host if there is a port. `localhost:7770` and `7770` are accepted. `psp.example` is rejected, because psp sends a key there',
          'a final slash; `/v1/public`, `/api/v1/public` and `/_psp` with everything after them',
        ],
        [
          'a webhook handler: `--forward`, `--route`, `--endpoint`, `--to`, `psp audit`, `endpoints`',
          '`http://`; the host, if there is a port (`3000/hooks`, `:3000`); host and port 3000, if there is only a path (`/hooks`)',
          'a fragment',
        ],
        ['`--return-url` and a complete `--webhook-url`', 'nothing: the API returns them as they are', 'nothing'],
      ],
    ),
    '`0.0.0.0` and `[::]` become the loopback address of the same family. A user name or password in an address, a host that is a number (`http://7770` is `0.0.30.90` to every URL parser) and any scheme except http and https are rejected.',
  ])
}

export function exitCodesPage(): string {
  const rows = (Object.keys(EXIT_CODES) as ExitName[]).map((name) => [String(EXIT_CODES[name]), EXIT_MEANINGS[name]])
  return page('Exit codes', [
    table(['code', 'meaning'], rows),
    '`psp exec` ends with the exit code of its program, or with 128 plus the number of the signal that ended it. `serve`, `listen`, `record`, `tail` and `ui` end with 0 after the first SIGINT or SIGTERM, and `logs --follow` with 130 or 143. If the terminal is closed (SIGHUP), `ui` ends with 0 and the other commands with 129.',
    'A command that prints a list or a stream ends with 0 if its pipe is closed, as with `head -1`. These commands have a result as exit code, so they continue without output and end with that code: `audit`, `verify`, `compare`, `wait`, `doctor`, `trigger`, `demo`, `events replay`, `events import`, `webhooks endpoints test` and `webhooks deliveries retry`.',
    'A command that fails before it has a result prints nothing on stdout. On stderr, one line says what happened and one line says what to do next. With `--json`, stderr has one line with `{"error": {"code", "message", "hint"}}`.',
  ])
}

export function errorsPage(): string {
  const errors = Object.entries(API_ERRORS).map(([name, row]) => [String(row.status), code(name), row.message])
  const failures = Object.entries(FAILURE_CODES).map(([name, row]) => {
    const raw = row as { card?: string; transfer?: string }
    return [code(name), raw.card ?? '', raw.transfer ?? '']
  })
  return page('Errors and failure codes', [
    'Every error is `{"error": {"code", "message"}}`. The message usually names the field and the next step. The table has the default messages.',
    table(['status', 'code', 'default message'], errors),
    '## Failure codes',
    '`failure_code` says why a payment or payout failed. It is in `metadata`, and in the response if the bank declines at once. `bank_failure_code` is the raw code of the bank.',
    table(['code', 'cards', 'SBP, wallets, payouts'], failures),
  ])
}

export function commandsPage(): string {
  return page('Commands', [
    'The commands are in the order of `psp --help`. Every command also accepts the options at the end of this page, before or after its name.',
    ...entries(COMMANDS, 'psp'),
    '## Options of every command',
    flagTable(GLOBAL_FLAGS),
  ])
}

function entries(group: Group, path: string): string[] {
  return group.commands.flatMap((entry) => {
    const name = `${path} ${entry.name}`
    if (!isGroup(entry)) return commandPart(name, entry)
    return [
      ...(entry.defaultCommand === undefined ? [] : commandPart(name, entry.defaultCommand)),
      ...entries(entry, name),
    ]
  })
}

function commandPart(path: string, command: Command): string[] {
  const args = Object.entries(command.args)

  const examples = command.examples.map(([line, description]) => `# ${description}\n${line}`)
  return [
    `## ${path}`,
    `${command.description}.`.replace(/([.:?])\.$/, '$1'),
    `\`${usageLine(path, command)}\``,
    ...(args.length === 0
      ? []
      : [
          table(
            ['argument', 'what it is'],
            args.map(([name, { kind, description }]) => [code(argumentText(name, kind)), description]),
          ),
        ]),
    ...(Object.keys(command.flags).length === 0 ? [] : [flagTable(command.flags)]),
    ...(examples.length === 0 ? [] : [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``]),
  ]
}

function flagTable(flags: FlagSet): string {
  return table(
    ['option', 'what it is'],
    Object.values(flags).map(({ spelling, description }) => [code(spelling), description]),
  )
}
