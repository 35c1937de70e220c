import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { NoArguments, Run } from '../../command.ts'
import { CliError } from '../../failure.ts'
import { plainJson } from '../../plain-text.ts'
import type { OPENAPI_FLAGS } from './flags.ts'

export const run: Run<NoArguments, typeof OPENAPI_FLAGS> = async ({ flags, session }) => {
  const { out, host } = session
  const { client } = await session.target()
  const document = await client.control.openapi(flags.control ? 'control' : 'public')
  if (flags.out === undefined) {
    if (out.json) out.document(document)
    else out.line(plainJson(document, 2))
    return 0
  }
  try {
    await writeFile(resolve(host.cwd, flags.out), `${JSON.stringify(document, null, 2)}\n`)
  } catch (error) {
    throw new CliError('failed', `${flags.out} cannot be written: ${(error as Error).message}`, 'Name another file.')
  }
  if (out.json) out.document({ file: resolve(host.cwd, flags.out) })
  else out.note(`written to ${flags.out}`)
  return 0
}
