let last: { readonly host: string; readonly usual: boolean } | undefined

/** True for a name or IPv4 address with or without a port, as a URL holds it. Clients repeat theirs with each request. */
export function usualHost(host: string | undefined): boolean {
  if (host === undefined) return false
  if (last?.host !== host) {
    last = { host, usual: /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && URL.canParse(`http://${host}/`) }
  }
  return last.usual
}
