// The panel of the sandbox. In a wide window it is always open next to the page. In a narrow window it stays as the
// developer left it.

const OPEN = 'psp-panel'
/** Same as in panel.css. */
const wide = matchMedia('(min-width: 1280px)')

/**
 * @param {HTMLElement} sandbox the part of the document with the panel
 * @param {(button: HTMLElement) => void} copy copies the text of a button
 */
export function enhancePanel(sandbox, copy) {
  const panel = sandbox.querySelector('.panel')
  for (const button of sandbox.querySelectorAll('[data-copy-text]')) {
    button.hidden = false
    button.addEventListener('click', () => void copy(button))
  }
  if (wide.matches || sessionStorage.getItem(OPEN) === 'yes') panel.open = true
  setTabStop(panel)
  panel.querySelector('summary').addEventListener('click', (event) => {
    if (wide.matches) event.preventDefault()
    else sessionStorage.setItem(OPEN, panel.open ? 'no' : 'yes')
  })
}

wide.addEventListener('change', () => {
  const panel = document.querySelector('.panel')
  if (panel === null) return
  panel.open = wide.matches || sessionStorage.getItem(OPEN) === 'yes'
  setTabStop(panel)
})

/** A press on the heading of the docked panel has no effect, so the Tab key passes over it. */
function setTabStop(panel) {
  panel.querySelector('summary').tabIndex = wide.matches ? -1 : 0
}
