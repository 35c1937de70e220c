import { plainLine } from '../../../terminal/plain-text.ts'
import { answer } from '../../answer.ts'
import type { NoFlags, Run } from '../../command.ts'
import { whileWorking } from '../../progress.ts'
import { readInput } from '../../read-input.ts'
import { asUtf8 } from '../../text-file.ts'
import type { FILE } from './flags.ts'

export const run: Run<typeof FILE, NoFlags> = async ({ args, session }) => {
  const rawBody = new Uint8Array(asUtf8(await readInput(args.file, session.host)))
  const { client } = await session.target()
  const reply = await whileWorking(session, `checking ${plainLine(args.file)} and putting it in place`, () =>
    client.raw.control.json({ method: 'PUT', path: '/_psp/import', rawBody }),
  )
  return await answer(session.out, reply, () => session.out.line(`the state of ${args.file} is in place`))
}
