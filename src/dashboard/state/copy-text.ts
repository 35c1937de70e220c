/** Copies text. A page that another machine serves without TLS has no clipboard API. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text)
    return
  }
  const field = document.createElement('textarea')
  field.value = text
  // A modal dialog makes everything outside of it inert.
  const place = document.querySelector('dialog[open]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('The browser did not allow copying.')
}
