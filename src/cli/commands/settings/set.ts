import { settingFromText } from '../../../settings.ts'
import { answer } from '../../answer.ts'
import type { NoFlags, Run } from '../../command.ts'
import { pair, quote } from '../../parse.ts'
import type { SET_ARGUMENTS } from './flags.ts'

export const run: Run<typeof SET_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const values = Object.fromEntries(
    args.pairs.map(pair).map(([name, text]) => [name, text === 'null' ? null : settingFromText(name, text)]),
  )
  const { out } = session
  const { client } = await session.target()
  const after = await client.control.settings.update(values)
  return await answer(out, after, () => {
    for (const name of Object.keys(values)) out.line(`${name} = ${quote(String(after[name]))}`)
  })
}
