// Line icons of 24 × 24 as paths.

const PATHS = {
  payments: 'M3 6h18v12H3zM3 10h18M7 15h4',
  payouts: 'M12 19V5m-6 6 6-6 6 6M5 21h14',
  refunds: 'M4 10h11a5 5 0 0 1 0 10h-3M4 10l5-5m-5 5 5 5',
  endpoint: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-5a4 4 0 1 0 0-8 4 4 0 0 0 0 8z',
  event: 'M13 3 5 14h6l-1 7 8-11h-6z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 5 5',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M15 5l-7 7 7 7',
  flask: 'M9 3h6m-5 0v6L4 19a1.5 1.5 0 0 0 1.3 2h13.4a1.5 1.5 0 0 0 1.3-2L14 9V3M7 15h10',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zm0-14v5l3 2',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8',
  webhook: 'M9 8a4 4 0 1 1 5 4l3 5m-8-1a4 4 0 1 1-5-2M17 17H9',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  sliders: 'M4 7h10m4 0h2M4 17h2m4 0h10M16 5v4M8 15v4',
  data: 'M5 6c0-4 14-4 14 0v12c0 4-14 4-14 0zM5 6c0 4 14 4 14 0M5 12c0 4 14 4 14 0',
  shop: 'M4 10v10h16V10M3 5h18l-1 5H4zM9 20v-6h6v6',
  start: 'M5 4l14 8-14 8z',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" aria-hidden="true">
      <path d={PATHS[name]} stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  )
}
