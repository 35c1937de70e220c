import { controlDocument } from '../../src/http/control/document.ts'
import { RESPONSES } from '../../src/http/control/response-schemas.ts'
import { CONTROL_ROUTES } from '../../src/http/control/routes.ts'
import {
  answersText,
  bodyTables,
  type Document,
  operationsOf,
  parameterTable,
  withInlineParts,
} from './document-parts.ts'
import { code, page } from './markdown.ts'
import { fieldTables, type Schema, typeText } from './schema-tables.ts'

export function controlApiPage(): string {
  const document = withInlineParts(controlDocument(CONTROL_ROUTES) as Document, isAnswer)
  const operations = operationsOf(document).flatMap(([heading, operation]) => [
    `## ${heading.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    operation.description ?? operation.summary,
    ...parameterTable('Query', 'query', operation),
    ...(heading.endsWith('/_psp/settings') ? [SETTINGS] : bodyTables(operation)),
    answersText(operation),
    refusalsOf(operation),
  ])
  return page('Control API', [INTRODUCTION, ...operations, '# Responses', ...answers(document)])
}

const INTRODUCTION =
  'The control API does what the dashboard of the real service does, and what only a simulator can do. Names are in snake_case. Errors have the same format as in the public API. A list is `{items, next_cursor}`. If `--host` makes the server reachable from other machines, the control API is off unless the server has a `--control-token`. Clients send this token as `Authorization: Bearer`. A foreign `Origin`, `Host` or `Sec-Fetch-Site` gets 403. A body needs `Content-Type: application/json`. The schemas are in `GET /_psp/openapi.json`, from which you can [generate a client](../guides/generated-clients.md). Durations are strings such as `500ms`, `15s`, `20m`, `2h`, `3d` or `1h30m`. Times are in RFC 3339, and amounts in minor units.'
const SETTINGS = 'The names and values of [settings](settings.md), `{"delays.bank": "2s"}`.'

const isAnswer = (name: string) => Object.hasOwn(RESPONSES, name)

/** The errors by code. The page of errors has their messages. */
function refusalsOf({ responses }: { responses: Document['paths'][string][string]['responses'] }): string {
  const codes = Object.entries(responses).flatMap(([status, { content }]) => {
    const names = Object.keys(content?.['application/json']?.examples ?? {})
    return names.length === 0 ? [] : [`${status} ${names.map(code).join(', ')}`]
  })
  return codes.length === 0 ? '' : `[Errors](errors.md): ${codes.join('; ')}.`
}

/** Shortens lists, which all have the same form, and schemas whose fields are described elsewhere. */
function answers({ components }: Document): string[] {
  return Object.entries(components.schemas)
    .filter(([name]) => isAnswer(name))
    .flatMap(([name, schema]) => [`## ${name}`, ...(shortOf(name, schema) ?? fieldTables('Field', schema))])
}

const DESCRIBED_ELSEWHERE: Readonly<Record<string, string>> = {
  Settings: SETTINGS,
  OpenApiDocument: 'An [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.0) document.',
}

function shortOf(name: string, { properties = {} }: Schema): string[] | undefined {
  const described = DESCRIBED_ELSEWHERE[name]
  if (described !== undefined) return [described]
  if (!name.endsWith('Page')) return undefined
  const items = typeText(properties['items'] ?? {})
  return [`\`items\`: ${items}; \`next_cursor\`: the \`cursor\` of the next page, null on the last one.`]
}
