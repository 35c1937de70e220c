// Resolves id prefixes, which narrow output shows: `23de10d7`, `23de10d7-…`, `evt_9f3ab2`.
import { usage } from '../failure.ts'

interface Listed {
  list(query: { id: string; limit: number }): Promise<{ readonly items: readonly { readonly id: string }[] }>
}

/** A prefix needs a minimum length, because a shorter one would match by chance. */
const BEGINNING = /^(?:[0-9a-f][0-9a-f-]{3,34}|evt_[0-9a-z]{3,23}|dlv_[0-9a-z]{3,19})$/

/**
 * Returns the id that begins with the text. Without a match it returns the text, and the server reports the error.
 * @throws CliError if several ids match
 */
export async function resolveId(list: Listed['list'], text: string): Promise<string> {
  const beginning = text.toLowerCase().replace(/(?:…|\.\.\.)$/, '')
  if (!BEGINNING.test(beginning)) return text
  const { items } = await list({ id: beginning, limit: SHOWN })
  if (items.length > 1) {
    const ids = items.map(({ id }) => id).join(', ')
    throw usage(
      `Several ids begin with ${beginning}.`,
      `Give more characters of the id: ${ids}${items.length < SHOWN ? '' : ', …'}`,
    )
  }
  return items[0]?.id ?? text
}

/** Maximum number of ids in the error. */
const SHOWN = 4
