// The search for a bank. Without this script, the form requests the page with the banks that were found.

/**
 * @param {HTMLElement} page the part of the document that may contain the search
 * @param {(text: string) => void} say announces a message to screen readers
 */
export function enhanceBanks(page, say) {
  const input = page.querySelector('[data-bank-search]')
  if (input === null) return
  const offline = document.getElementById('live').dataset.offline
  input.addEventListener('input', () => void findBanks(page, input, say).catch(() => say(offline)))
  input.form.addEventListener('submit', (event) => event.preventDefault())
}

/** Shows the banks that the server finds. For an empty search, these are the largest banks. */
async function findBanks(page, input, say) {
  const url = new URL(input.form.action)
  url.search = new URLSearchParams(new FormData(input.form)).toString()
  // A prefetch is not a visit, so it is not in the request log.
  const response = await fetch(url, { headers: { accept: 'text/html', purpose: 'prefetch' } })
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html')
  const banks = [...fresh.querySelectorAll('[data-bank]')]
  // A later input has its own response.
  if (url.searchParams.get('q') !== input.value) return
  page.querySelector('.banks-none')?.remove()
  const list = page.querySelector('.bank-list')
  list.replaceChildren(...banks)
  const noBanks = fresh.querySelector('.banks-none')
  if (noBanks !== null) list.before(noBanks)
  const { none, found } = input.dataset
  say(banks.length === 0 ? none : found.replace('{count}', String(banks.length)))
}
