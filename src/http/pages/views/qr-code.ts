// A QR code as an SVG drawing.
import { html } from 'hono/html'
import { encode } from 'uqr'
import type { Html } from './page-view.ts'

/** Dark on light in both themes, because scanners need it. */
export function qrCode(url: string, label: string): Html {
  const { data, size } = encode(url, { ecc: 'M', border: 2 })
  const path = data
    .map((row, y) =>
      runs(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('')
  return html`<svg class="qr-code" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z" /><path fill="#000" d="${path}" /></svg>`
}

/** Returns the start and length of each run of dark cells. */
function runs(row: readonly boolean[]): [number, number][] {
  const found: [number, number][] = []
  row.forEach((dark, x) => {
    const last = found.at(-1)
    if (!dark) return
    if (last !== undefined && row[x - 1] === true) last[1] += 1
    else found.push([x, 1])
  })
  return found
}
