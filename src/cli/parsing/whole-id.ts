// Ids that people begin, as narrow lines and other tools show them: `23de10d7`, `23de10d7-…`, `evt_9f3ab2`.
import { usage } from '../failure.ts'

interface Listed {
  list(query: { id: string; limit: number }): Promise<{ readonly items: readonly { readonly id: string }[] }>
}

/** Fewer characters would name too much by chance. */
const BEGINNING = /^(?:[0-9a-f][0-9a-f-]{3,34}|evt_[0-9a-z]{3,23}|dlv_[0-9a-z]{3,19})$/

/**
 * The id that begins so; the text itself where none does, for the server to speak of.
 * @throws CliError where several do
 */
export async function wholeId(list: Listed['list'], text: string): Promise<string> {
  const beginning = text.toLowerCase().replace(/(?:…|\.\.\.)$/, '')
  if (!BEGINNING.test(beginning)) return text
  const { items } = await list({ id: beginning, limit: SHOWN })
  if (items.length > 1) {
    const ids = items.map(({ id }) => id).join(', ')
    throw usage(
      `Several ids begin with ${beginning}.`,
      `Give more of the one you mean: ${ids}${items.length < SHOWN ? '' : ', …'}`,
    )
  }
  return items[0]?.id ?? text
}

/** Ids that a refusal shows. */
const SHOWN = 4
