import type { Session } from '../../session.ts'

/** Prints a note if the server removed public secrets from an imported or restored state. */
export function noteRemovedSecrets({ out }: Session, result: unknown): void {
  const { removed_former_secrets: count } = (result ?? {}) as { readonly removed_former_secrets?: number }
  if (count === undefined) return
  const secrets = count === 1 ? 'a former secret that is public' : `${count} former secrets that are public`
  out.note(`The server removed ${secrets}, because other machines can reach it. They were not in use.`)
}
