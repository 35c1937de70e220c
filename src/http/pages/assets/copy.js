// Copies text to the clipboard.

/** @param {string} text */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copyBySelection(text)
  }
}

/** The clipboard API needs TLS or localhost. The older command works without it. */
function copyBySelection(text) {
  const area = document.createElement('textarea')
  area.className = 'unseen'
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
