import { searchBanks } from '../../../domain/bank.ts'
import type { NoFlags, Run } from '../../command.ts'
import { printResult } from '../../output/result.ts'
import { printTable } from '../../output/table.ts'
import type { BANKS_ARGUMENTS } from '../banks.ts'

export const run: Run<typeof BANKS_ARGUMENTS, NoFlags> = async ({ args, session }) => {
  const { client } = await session.target('independent')
  const { items } = await client.banks()
  const found = { items: searchBanks(args.query.join(' '), items) }
  return await printResult(session.out, found, () => printTable(session.out, COLUMNS, found.items, 'No such bank.'))
}

const COLUMNS = [
  { title: 'bank id', cell: (bank: { member_id: string }) => bank.member_id },
  { title: 'name', cell: (bank: { name: string }) => bank.name },
  { title: 'name in English', cell: (bank: { name_en: string }) => bank.name_en },
]
