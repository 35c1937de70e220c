import { plainJson } from '../../../terminal/plain-text.ts'
import type { NoArguments, Run } from '../../command.ts'
import { writeOutput } from '../../write-output.ts'
import type { OPENAPI_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof OPENAPI_FLAGS> = async ({ flags, session }) => {
  const { out } = session
  const { client } = await session.target()
  const document = await client.control.openapi(flags.control ? 'control' : 'public')
  if (flags.out === undefined || flags.out === '-') {
    if (out.json) out.document(document)
    else out.line(plainJson(document, 2))
    return 0
  }
  const file = await writeOutput(flags.out, `${JSON.stringify(document, null, 2)}\n`, session)
  if (out.json) out.document({ file })
  else out.note(`written to ${flags.out}`)
  return 0
}
