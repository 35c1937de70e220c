import type { KeyView } from '../../../client/control-types.ts'
import { countOf } from '../../../domain/count-text.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { type Column, printPage, timeColumn } from '../../output/table.ts'
import { resultSubcommand } from '../../subcommand.ts'
import { defaultShop } from '../../target/resolve-objects.ts'
import type { CREATE_FLAGS, KEY_ID, LIST_FLAGS } from '../keys.ts'

const COLUMNS: readonly Column<KeyView>[] = [
  { title: 'key', cell: ({ id }) => id },
  { title: 'begins with', cell: ({ hint }) => hint },
  { title: 'mode', cell: ({ mode }) => mode },
  timeColumn('created', ({ created_at }) => created_at),
  timeColumn('revoked', ({ revoked_at }) => revoked_at ?? ''),
]

export const list: Run<NoArguments, typeof LIST_FLAGS> = async ({ flags, session }) => {
  const { shop, all, limit, cursor } = flags
  const { client } = await session.target()
  const page = await client.control.keys.list(shop ?? (await defaultShop(client)), { limit, cursor })
  const { out } = session
  const items = all || out.json ? page.items : page.items.filter(({ revoked_at }) => (revoked_at ?? null) === null)
  await printPage(out, { ...page, items }, COLUMNS, 'No keys. Create one: psp keys create')
  const hidden = page.items.length - items.length
  if (hidden > 0)
    out.note(out.notePaint.dim(`Not shown: ${countOf(hidden, 'revoked key')}. Use --all to include revoked keys.`))
  return 0
}

export const create: Run<NoArguments, typeof CREATE_FLAGS> = resultSubcommand(
  async (client, { flags: { shop, mode = 'test' } }) =>
    await client.control.keys.create(shop ?? (await defaultShop(client)), { mode }),
  (out, { api_key }) => out.line(api_key),
)

export const revoke: Run<typeof KEY_ID, NoFlags> = resultSubcommand(
  async ({ control }, { args: { id } }) => {
    await control.keys.revoke(id)
    return { id, revoked: true }
  },
  (out, { id }) => out.line(`key ${id} revoked`),
)
