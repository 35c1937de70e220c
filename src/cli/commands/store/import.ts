import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { NoFlags, Run } from '../../command.ts'
import { readInput } from '../../input/read-input.ts'
import { asUtf8 } from '../../input/text-file.ts'
import { answer } from '../../output/answer.ts'
import { whileWorking } from '../../output/progress.ts'
import type { FILE } from './flags.ts'

/** Maximum bytes of an export. */
const LONGEST_EXPORT = 1024 * 1024 * 1024

export const run: Run<typeof FILE, NoFlags> = async ({ args, session }) => {
  const bytes = asUtf8(await readInput(args.file, session, LONGEST_EXPORT))
  const rawBody = new Uint8Array(bytes)
  const { client } = await session.target()
  const reply = await whileWorking(session, `checking ${sanitizeLine(args.file)} and putting it in place`, async () => {
    try {
      return await client.raw.control.json({ method: 'PUT', path: '/_psp/import', rawBody })
    } catch (error) {
      // Loaded only here, because most files are valid.
      const { refusedFile } = await import('./refused-file.ts')
      throw refusedFile(error, sanitizeLine(args.file), bytes)
    }
  })
  return await answer(session.out, reply, () => session.out.line(`the state of ${args.file} is in place`))
}
