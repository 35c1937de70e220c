import * as z from 'zod'
import * as lines from './json-lines.ts'
import { page } from './markdown.ts'
import { fieldTables, type Schema } from './schema-tables.ts'

export function jsonLinesPage(): string {
  return page('Lines of JSON', [
    'With `--json`, stdout contains only JSON. A command that ends prints one document. A command that continues prints one line for each event. Notes are printed on stderr. A later version may add fields, so ignore unknown fields.',
    '## psp serve --json',
    ...tables('ready', lines.serveReady),
    ...tables('request', lines.serveRequest),
    '`--ready-file` writes the same `ready` line to a file. `psp logs --follow --json` prints requests without `type`. It prints their bodies only with `--show-body`.',
    '## psp listen --json',
    ...tables('ready', lines.listenReady),
    ...tables('event', lines.listenEvent),
    ...tables('attempt', lines.listenAttempt),
    '## psp record --json',
    ...tables('ready', lines.recordReady),
    ...tables('request', lines.recordRequest),
    '## psp tail --json',
    'Each line is a message of the [event stream](public-api.md#event-stream).',
    '## psp wait --json',
    'Each line is an event that the command waited for, as a [WebhookEvent](control-api.md#webhookevent) of the control API.',
  ])
}

function tables(type: string, schema: z.ZodType): string[] {
  return fieldTables(`Line \`${type}\``, z.toJSONSchema(schema, { unrepresentable: 'any' }) as Schema)
}
