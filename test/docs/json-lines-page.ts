import * as z from 'zod'
import * as lines from './json-lines.ts'
import { page } from './markdown.ts'
import { fieldTables, type Schema } from './schema-tables.ts'

export function jsonLinesPage(): string {
  return page('Lines of JSON', [
    'With `--json` stdout holds JSON and nothing else: one document of a command that ends, and one line for each thing that happens of a command that goes on. Remarks go to stderr. A field that is not here may come in a later version: read the ones you need.',
    '## psp serve --json',
    ...tables('ready', lines.serveReady),
    ...tables('request', lines.serveRequest),
    '`--ready-file` writes the same `ready` line into a file. `psp logs --follow --json` writes requests without `type`, their bodies with `--show-body` only.',
    '## psp listen --json',
    ...tables('ready', lines.listenReady),
    ...tables('event', lines.listenEvent),
    ...tables('attempt', lines.listenAttempt),
    '## psp tail --json',
    'What the [event stream](public-api.md#event-stream) says, a message a line.',
    '## psp wait --json',
    'Each event it waited for, as [Event](control-api.md#event) of the control API.',
  ])
}

function tables(type: string, schema: z.ZodType): string[] {
  return fieldTables(`Line \`${type}\``, z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema)
}
