import { command } from '../command.ts'
import { FORCE } from '../parsing/common-flags.ts'
import { toggle, value } from '../parsing/flags.ts'
import { nonEmpty } from '../parsing/parse.ts'

export const OPENAPI_FLAGS = {
  out: value('--out <file>', 'write to this file; - is stdout', nonEmpty),
  ...FORCE,
  control: toggle('--control', 'print the document of the control API instead'),
}

export const openapi = command({
  description: 'Print the OpenAPI 3.1 document of the public API or the control API.',
  flags: OPENAPI_FLAGS,
  examples: [
    ['psp openapi --out openapi.json', 'Write the document for a client generator'],
    ['psp openapi --control', 'Print the document of the control API'],
  ],
})
