import type { KeyView } from '../../../client/control-types.ts'
import type { NoArguments, Run } from '../../command.ts'
import { defaultShop } from '../../config/default-shop.ts'
import { timeColumn } from '../../output/id-and-time-columns.ts'
import { printPage } from '../../output/pages.ts'
import type { Column } from '../../output/table.ts'
import type { LIST_FLAGS } from './flags.ts'

const COLUMNS: readonly Column<KeyView>[] = [
  { title: 'key', cell: ({ id }) => id },
  { title: 'begins with', cell: ({ hint }) => hint },
  { title: 'mode', cell: ({ mode }) => mode },
  timeColumn('created', ({ created_at }) => created_at),
  timeColumn('revoked', ({ revoked_at }) => revoked_at ?? ''),
]

export const run: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { shop, all, limit, cursor } = flags
  const { client } = await session.target()
  const page = await client.control.keys.list(shop ?? (await defaultShop(client)), { limit, cursor })
  const { out } = session
  const items = all || out.json ? page.items : page.items.filter(({ revoked_at }) => (revoked_at ?? null) === null)
  await printPage(out, { ...page, items }, COLUMNS, 'No keys. Create one: psp keys create')
  const hidden = page.items.length - items.length
  if (hidden > 0) out.note(out.notePaint.dim(`${hidden} revoked keys are not shown. --all shows them.`))
  return 0
}
